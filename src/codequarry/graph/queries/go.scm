(import_spec !name path: (_) @module)
(import_spec name: (package_identifier) @alias path: (_) @module)
(import_spec name: (dot) @star path: (_) @module)
(import_spec name: (blank_identifier) @unnamed path: (_) @module)

(struct_type (field_declaration_list (field_declaration !name type:
  [(type_identifier) @name (qualified_type name: (type_identifier) @name)]))) @reference.extends
(type_alias name: (type_identifier) @name) @definition.type

(parameter_declaration name: (identifier) @local)
(short_var_declaration left: (expression_list (identifier) @local))
(range_clause left: (expression_list (identifier) @local))
(var_spec name: (identifier) @local)
