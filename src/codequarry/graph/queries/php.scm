[(namespace_use_declaration)
 (require_expression) (require_once_expression)
 (include_expression) (include_once_expression)] @statement

(function_call_expression function: (name) @name) @reference.call
(object_creation_expression (name) @name) @reference.class
(base_clause [(name) @name (qualified_name (name) @name)]) @reference.extends
(use_declaration (name) @name) @reference.implements
(named_type (name) @name) @reference.type

(object_creation_expression [(name) @name (qualified_name (name) @name)]) @reference.call
(property_declaration type: (_) @type (property_element name: (variable_name) @typed))
(simple_parameter type: (_) @type name: (variable_name) @typed)
(property_promotion_parameter type: (_) @type name: (variable_name) @typed)
(property_promotion_parameter type: (_) @type name: (variable_name) @typed) @property
(assignment_expression left: [(variable_name) (member_access_expression)] @typed
  right: (object_creation_expression [(name) (qualified_name)] @made))
(assignment_expression left: (member_access_expression) @typed right: (variable_name) @copied)
(method_declaration name: (name) @returning return_type: (_) @type)
(function_definition name: (name) @returning return_type: (_) @type)
