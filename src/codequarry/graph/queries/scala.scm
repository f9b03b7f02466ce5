(import_declaration) @statement
(call_expression function: (field_expression field: (identifier) @name)) @reference.call
(extends_clause [
  (type_identifier) @name
  (generic_type (type_identifier) @name)]) @reference.extends
