(class_heritage
  [(identifier) @name (member_expression property: (property_identifier) @name)]) @reference.extends
(formal_parameters (identifier) @local)
(formal_parameters (assignment_pattern left: (identifier) @local))
(field_definition property: (property_identifier) @typed
  value: (new_expression constructor: (_) @made))
