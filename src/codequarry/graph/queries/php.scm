[(namespace_use_declaration)
 (require_expression) (require_once_expression)
 (include_expression) (include_once_expression)] @statement

(function_call_expression function: (name) @name) @reference.call
(object_creation_expression (name) @name) @reference.class
(base_clause [(name) @name (qualified_name (name) @name)]) @reference.extends
(use_declaration (name) @name) @reference.implements
(named_type (name) @name) @reference.type
