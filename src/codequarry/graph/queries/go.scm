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

(parameter_declaration name: (identifier) @typed type: (_) @type)
(var_spec name: (identifier) @typed type: (_) @type)
(field_declaration name: (field_identifier) @typed type: (_) @type)
(short_var_declaration left: (expression_list . (identifier) @typed)
  right: (expression_list . (call_expression function: (_) @made)))
(short_var_declaration left: (expression_list . (identifier) @typed .)
  right: (expression_list . (selector_expression) @copied .))
(short_var_declaration left: (expression_list . (identifier) @typed .)
  right: (expression_list . [
    (composite_literal type: (_) @type)
    (unary_expression operand: (composite_literal type: (_) @type))] .))
(function_declaration name: (identifier) @returning result: [
  (type_identifier) @type
  (pointer_type) @type
  (qualified_type) @type
  (parameter_list . (parameter_declaration type: (_) @type))])
(method_declaration name: (field_identifier) @returning result: [
  (type_identifier) @type
  (pointer_type) @type
  (qualified_type) @type
  (parameter_list . (parameter_declaration type: (_) @type))])
