(file_scoped_namespace_declaration name: (_) @name) @package
(namespace_declaration name: (_) @name) @scope
(class_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(struct_declaration name: (_) @name) @type
(interface_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @type
(delegate_declaration name: (_) @name) @type
(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @method
(local_function_statement name: (_) @name) @function
(field_declaration (modifier "const") (variable_declaration (variable_declarator name: (_) @name))) @variable
