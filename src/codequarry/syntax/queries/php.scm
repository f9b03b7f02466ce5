(namespace_definition name: (_) @name !body) @package
(namespace_definition name: (_) @name body: (_)) @scope
(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @type
(trait_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @type
(function_definition name: (_) @name) @function
(method_declaration name: (_) @name) @method
(const_declaration (const_element . (name) @name)) @variable
(expression_statement (function_call_expression
  function: (name) @called
  arguments: (arguments . (argument (_ (string_content) @name)))
  (#eq? @called "define"))) @variable
