(import) @statement
(call_expression (identifier) @name) @reference.call
(call_expression (navigation_expression (identifier) @name .)) @reference.call
(delegation_specifier [
  (user_type (identifier) @name)
  (constructor_invocation (user_type (identifier) @name))]) @reference.extends
(user_type (identifier) @name) @reference.type
