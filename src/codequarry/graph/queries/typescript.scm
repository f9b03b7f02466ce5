(import_require_clause (identifier) @alias source: (string (string_fragment) @module))
(extends_clause value:
  [(identifier) @name (member_expression property: (property_identifier) @name)]) @reference.extends
(extends_type_clause type:
  [(type_identifier) @name (generic_type name: (type_identifier) @name)]) @reference.extends
(implements_clause
  [(type_identifier) @name (generic_type name: (type_identifier) @name)]) @reference.implements
(type_identifier) @name @reference.type
(type_alias_declaration name: (type_identifier) @name) @definition.type
(class_declaration name: (type_identifier) @name) @definition.class
(enum_declaration name: (identifier) @name) @definition.enum
(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)

(required_parameter pattern: (identifier) @typed type: (type_annotation) @type)
(optional_parameter pattern: (identifier) @typed type: (type_annotation) @type)
(required_parameter (accessibility_modifier) @property
  pattern: (identifier) @typed type: (type_annotation) @type)
(public_field_definition name: (property_identifier) @typed type: (type_annotation) @type)
(public_field_definition name: (property_identifier) @typed
  value: (new_expression constructor: (_) @made))
(variable_declarator name: (identifier) @typed type: (type_annotation) @type)
(function_declaration name: (identifier) @returning return_type: (type_annotation) @type)
(method_definition name: (property_identifier) @returning return_type: (type_annotation) @type)
