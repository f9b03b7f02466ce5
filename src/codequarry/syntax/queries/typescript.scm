(class_declaration name: (_) @name) @class
(abstract_class_declaration name: (_) @name) @class
(public_field_definition name: (_) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @method
(abstract_method_signature name: (_) @name) @method
(method_signature name: (_) @name) @method
(function_signature name: (identifier) @name) @function
(interface_declaration name: (_) @name) @type
(type_alias_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @type
(internal_module name: (_) @name) @module
(module name: (_) @name) @module
(internal_module body: (statement_block (export_statement
  declaration: (lexical_declaration "const" @keyword (variable_declarator name: (identifier) @name) @variable))))
