(preproc_include path: (_) @module)
(call_expression function: (identifier) @name) @reference.call
(call_expression function: (field_expression field: (field_identifier) @name)) @reference.call
(type_identifier) @name @reference.type
(parameter_declaration declarator: [
  (identifier) @local
  (pointer_declarator (identifier) @local)
  (function_declarator
    declarator: (parenthesized_declarator (pointer_declarator (identifier) @local)))])
(init_declarator declarator: [
  (identifier) @local
  (function_declarator
    declarator: (parenthesized_declarator (pointer_declarator (identifier) @local)))])
