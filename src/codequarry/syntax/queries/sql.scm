(create_table [(keyword_table) (keyword_exists)] . (object_reference) @name) @table
(create_view [(keyword_view) (keyword_exists)] . (object_reference) @name) @view
(create_materialized_view [(keyword_view) (keyword_exists)] . (object_reference) @name) @view
(create_function (keyword_function) . (object_reference) @name) @function
(create_procedure (keyword_procedure) . (object_reference) @name) @function
(create_trigger (keyword_trigger) . (object_reference) @name) @function
(create_index column: (identifier) @name) @query
(create_type (keyword_type) . (object_reference) @name) @type
