(package_clause name: (_) @name !body) @package
(package_clause name: (_) @name body: (_)) @scope
(package_object name: (_) @name) @module
(class_definition name: (_) @name) @class
(object_definition name: (_) @name) @class
(trait_definition name: (_) @name) @type
(enum_definition name: (_) @name) @type
(type_definition name: (_) @name) @type
(function_definition name: (_) @name) @function
(function_declaration name: (_) @name) @function
(compilation_unit [(val_definition pattern: (identifier) @name) (var_definition pattern: (identifier) @name)] @variable)
(object_definition body: (template_body (val_definition pattern: (identifier) @name) @variable))
