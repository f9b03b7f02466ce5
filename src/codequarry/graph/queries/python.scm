(import_statement name: (dotted_name) @module)
(import_statement name: (aliased_import name: (dotted_name) @module alias: (identifier) @alias))
(import_from_statement module_name: (_) @module name: (dotted_name) @imported)
(import_from_statement module_name: (_) @module
  name: (aliased_import name: (dotted_name) @imported alias: (identifier) @alias))
(import_from_statement module_name: (_) @module (wildcard_import) @star)

(class_definition superclasses: (argument_list
  [(identifier) @name (attribute attribute: (identifier) @name)])) @reference.extends
(decorator [(identifier) @name (attribute attribute: (identifier) @name)]) @reference.call
(type (identifier) @name) @reference.type

(parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(typed_parameter (identifier) @local)
(default_parameter name: (identifier) @local)
(typed_default_parameter name: (identifier) @local)
(assignment left: (identifier) @local)
(assignment left: (pattern_list (identifier) @local))
(for_statement left: (identifier) @local)
(for_statement left: (pattern_list (identifier) @local))
(as_pattern_target (identifier) @local)

(assignment left: [(identifier) (attribute)] @typed right: (call function: (_) @made))
(assignment left: [(identifier) (attribute)] @typed type: (type) @type)
(assignment left: (attribute) @typed right: (identifier) @copied)
(assignment left: (identifier) @typed right: (attribute) @copied)
(typed_parameter (identifier) @typed type: (type) @type)
(typed_default_parameter name: (identifier) @typed type: (type) @type)
(as_pattern (call function: (_) @made) alias: (as_pattern_target (identifier) @typed))
(function_definition name: (identifier) @returning return_type: (type) @type)
