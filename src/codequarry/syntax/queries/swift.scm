(class_declaration "extension" name: (_) @name) @scope.class
(class_declaration ["struct" "enum"] name: (_) @name) @type
(class_declaration name: (_) @name) @class
(protocol_declaration name: (_) @name) @type
(function_declaration name: (simple_identifier) @name) @function
(protocol_function_declaration name: (simple_identifier) @name) @function
(init_declaration "init" @name) @method
(deinit_declaration "deinit" @name) @method
(typealias_declaration name: (type_identifier) @name) @type
(source_file (property_declaration name: (pattern bound_identifier: (_) @name)) @variable)
