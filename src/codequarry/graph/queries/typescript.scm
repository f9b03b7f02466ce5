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
