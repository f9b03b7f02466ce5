(call_expression function: [
  (qualified_identifier name: (identifier) @name)
  (qualified_identifier name: (qualified_identifier name: (identifier) @name))
  (template_function name: (identifier) @name)]) @reference.call
(new_expression type: (type_identifier) @name) @reference.class
(base_class_clause [
  (type_identifier) @name
  (qualified_identifier name: (type_identifier) @name)
  (template_type name: (type_identifier) @name)]) @reference.extends
(new_expression type: (qualified_identifier name: (type_identifier) @name)) @reference.call
(new_expression type: (type_identifier) @name) @reference.call

(declaration
  type: [(type_identifier) (qualified_identifier) (template_type)] @type
  declarator: [
    (identifier) @typed
    (pointer_declarator (identifier) @typed)
    (reference_declarator (identifier) @typed)
    (init_declarator declarator: [
      (identifier) @typed
      (pointer_declarator (identifier) @typed)
      (reference_declarator (identifier) @typed)])])
(declaration type: (placeholder_type_specifier)
  declarator: (init_declarator
    declarator: [(identifier) @typed (pointer_declarator (identifier) @typed)]
    value: [
      (new_expression type: (_) @type)
      (call_expression function: [(identifier) (qualified_identifier)] @made)]))
(parameter_declaration
  type: [(type_identifier) (qualified_identifier) (template_type)] @type
  declarator: [
    (identifier) @typed
    (pointer_declarator (identifier) @typed)
    (reference_declarator (identifier) @typed)])
(field_declaration
  type: [(type_identifier) (qualified_identifier) (template_type)] @type
  declarator: [
    (field_identifier) @typed
    (pointer_declarator (field_identifier) @typed)
    (reference_declarator (field_identifier) @typed)])
(parameter_declaration declarator: (identifier) @local)
(init_declarator declarator: (identifier) @local)
