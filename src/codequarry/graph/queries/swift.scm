(call_expression (simple_identifier) @name) @reference.call
(call_expression (navigation_expression
  suffix: (navigation_suffix suffix: (simple_identifier) @name))) @reference.call
(inheritance_specifier inherits_from: (user_type (type_identifier) @name)) @reference.extends
