(class_specifier name: (_) @name body: (_)) @class
(namespace_definition name: (_) @name) @scope
(function_definition declarator: (function_declarator declarator: (_) @name)) @function
(alias_declaration name: (_) @name) @type
(concept_definition name: (_) @name) @type
(field_declaration declarator: [
  (function_declarator declarator: (field_identifier) @name)
  (_ (function_declarator declarator: (field_identifier) @name))]) @method
(namespace_definition body: (declaration_list (declaration
  declarator: (init_declarator declarator: (identifier) @name)) @variable))
