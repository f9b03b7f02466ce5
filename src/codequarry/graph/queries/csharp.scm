(using_directive) @statement

(invocation_expression function: [
  (identifier) @name
  (generic_name (identifier) @name)
  (member_access_expression name: (generic_name (identifier) @name))]) @reference.call
(object_creation_expression type: (generic_name (identifier) @name)) @reference.class
(base_list [
  (identifier) @name
  (qualified_name name: (identifier) @name)
  (generic_name (identifier) @name)]
  (#not-match? @name "^I[A-Z]")) @reference.extends
(base_list [
  (identifier) @name
  (qualified_name name: (identifier) @name)
  (generic_name (identifier) @name)]
  (#match? @name "^I[A-Z]")) @reference.implements
(parameter type: (identifier) @name) @reference.type

(object_creation_expression type: [
  (identifier) @name
  (generic_name (identifier) @name)
  (qualified_name name: (identifier) @name)]) @reference.call
(variable_declaration type: [(identifier) (qualified_name) (generic_name) (nullable_type)] @type
  (variable_declarator name: (identifier) @typed))
(variable_declaration type: (implicit_type)
  (variable_declarator name: (identifier) @typed [
    (object_creation_expression type: (_) @made)
    (invocation_expression function: (identifier) @made)]))
(parameter type: [(identifier) (qualified_name) (generic_name) (nullable_type)] @type
  name: (identifier) @typed)
(property_declaration type: [(identifier) (qualified_name) (generic_name) (nullable_type)] @type
  name: (identifier) @typed)
(method_declaration returns: [(identifier) (qualified_name) (generic_name)] @type
  name: (identifier) @returning)
(parameter name: (identifier) @local)
(variable_declarator name: (identifier) @local)
