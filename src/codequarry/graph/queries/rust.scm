(use_declaration argument: (_) @statement)
(mod_item name: (identifier) @child !body)

(call_expression function: [
  (scoped_identifier name: (identifier) @name)
  (generic_function function: [
    (identifier) @name
    (scoped_identifier name: (identifier) @name)
    (field_expression field: (field_identifier) @name)])]) @reference.call
(struct_expression name: (type_identifier) @name) @reference.class
(type_identifier) @name @reference.type
(impl_item
  trait: [
    (type_identifier) @name
    (scoped_type_identifier name: (type_identifier) @name)
    (generic_type type: (type_identifier) @name)]
  type: [
    (type_identifier) @subject
    (generic_type type: (type_identifier) @subject)]) @reference.implements

(let_declaration pattern: (identifier) @local)
(parameter pattern: (identifier) @local)
(closure_parameters (identifier) @local)

(let_declaration pattern: (identifier) @typed type: (_) @type)
(let_declaration pattern: (identifier) @typed value: (call_expression function: (_) @made))
(let_declaration pattern: (identifier) @typed value: [
  (struct_expression name: (_) @type)
  (reference_expression value: (struct_expression name: (_) @type))])
(parameter pattern: (identifier) @typed type: (_) @type)
(field_declaration name: (field_identifier) @typed type: (_) @type)
(function_item name: (identifier) @returning return_type: (_) @type)
