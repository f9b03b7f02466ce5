(mod_item name: (identifier) @name body: (_)) @module
(function_item name: (_) @name) @function
(function_signature_item name: (_) @name) @function
(struct_item name: (_) @name) @type
(enum_item name: (_) @name) @type
(union_item name: (_) @name) @type
(trait_item name: (_) @name) @type
(type_item name: (_) @name) @type
(impl_item type: (_) @name) @scope.class
(macro_definition name: (_) @name) @function
(const_item name: (identifier) @name) @variable
(static_item name: (identifier) @name) @variable
