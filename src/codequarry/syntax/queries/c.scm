(function_definition declarator: [
  (function_declarator declarator: (_) @name)
  (_ (function_declarator declarator: (_) @name))
  (_ (_ (function_declarator declarator: (_) @name)))]
  body: (_)) @function
(struct_specifier name: (_) @name body: (_)) @type
(union_specifier name: (_) @name body: (_)) @type
(enum_specifier name: (_) @name body: (_)) @type
(type_definition declarator: [
  (type_identifier) @name
  (pointer_declarator declarator: (type_identifier) @name)
  (function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: (type_identifier) @name)))]) @type.leaf
(preproc_def name: (_) @name value: (_)) @variable
(preproc_function_def name: (_) @name) @function
(translation_unit (declaration declarator: (init_declarator declarator: [
  (identifier) @name
  (_ declarator: (identifier) @name)
  (_ declarator: (_ declarator: (identifier) @name))])) @variable)
(preproc_ifdef (declaration declarator: (init_declarator declarator: [
  (identifier) @name
  (_ declarator: (identifier) @name)
  (_ declarator: (_ declarator: (identifier) @name))])) @variable)
