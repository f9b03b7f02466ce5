(call_expression function: [
  (qualified_identifier name: (identifier) @name)
  (template_function name: (identifier) @name)]) @reference.call
(new_expression type: (type_identifier) @name) @reference.class
(base_class_clause [
  (type_identifier) @name
  (qualified_identifier name: (type_identifier) @name)
  (template_type name: (type_identifier) @name)]) @reference.extends
