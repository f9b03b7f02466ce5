(package_header (qualified_identifier) @name) @package
(class_declaration "interface" name: (_) @name) @type
(class_declaration (modifiers (class_modifier "enum")) name: (_) @name) @type
(class_declaration name: (_) @name) @class
(object_declaration name: (_) @name) @class
(companion_object) @scope.class
(function_declaration name: (_) @name) @function
(type_alias type: (_) @name) @type
(source_file (property_declaration (variable_declaration (identifier) @name)) @variable)
(property_declaration (modifiers (property_modifier "const")) (variable_declaration (identifier) @name)) @variable
