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
