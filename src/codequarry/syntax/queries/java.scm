(package_declaration [(scoped_identifier) (identifier)] @name) @package
(class_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @type
(enum_declaration name: (_) @name) @type
(annotation_type_declaration name: (_) @name) @type
(method_declaration name: (_) @name) @method
(constructor_declaration name: (_) @name) @method
(compact_constructor_declaration name: (_) @name) @method
(field_declaration (modifiers "static" "final") declarator: (variable_declarator name: (_) @name)) @variable
(interface_body (constant_declaration declarator: (variable_declarator name: (_) @name)) @variable)
