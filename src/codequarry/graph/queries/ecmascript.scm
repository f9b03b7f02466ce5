(import_statement . "import" . source: (string (string_fragment) @module))
(import_statement (import_clause (identifier) @default) source: (string (string_fragment) @module))
(import_statement
  (import_clause (namespace_import (identifier) @alias))
  source: (string (string_fragment) @module))
(import_statement
  (import_clause (named_imports (import_specifier name: _ @imported !alias)))
  source: (string (string_fragment) @module))
(import_statement
  (import_clause (named_imports (import_specifier name: _ @imported alias: (_) @alias)))
  source: (string (string_fragment) @module))
(export_statement source: (string (string_fragment) @module))
(call_expression function: (import) arguments: (arguments . (string (string_fragment) @module)))
(call_expression function: (identifier) @called
  arguments: (arguments . (string (string_fragment) @module))
  (#eq? @called "require"))
(variable_declarator name: (identifier) @alias
  value: (call_expression function: (identifier) @called
    arguments: (arguments . (string (string_fragment) @module)))
  (#eq? @called "require"))
(variable_declarator
  name: (object_pattern [
    (shorthand_property_identifier_pattern) @imported
    (pair_pattern key: (property_identifier) @imported value: (identifier) @alias)])
  value: (call_expression function: (identifier) @called
    arguments: (arguments . (string (string_fragment) @module)))
  (#eq? @called "require"))

(variable_declarator name: (identifier) @local)
(arrow_function parameter: (identifier) @local)
(for_in_statement left: (identifier) @local)

(new_expression constructor: [
  (identifier) @name
  (member_expression property: (property_identifier) @name)]) @reference.call
(variable_declarator name: (identifier) @typed value: (new_expression constructor: (_) @made))
(variable_declarator name: (identifier) @typed value: (call_expression function: (_) @made))
(variable_declarator name: (identifier) @typed
  value: (await_expression (call_expression function: (_) @made)))
(variable_declarator name: (identifier) @typed value: (member_expression) @copied)
(assignment_expression left: [(identifier) (member_expression)] @typed
  right: (new_expression constructor: (_) @made))
(assignment_expression left: [(identifier) (member_expression)] @typed
  right: (call_expression function: (_) @made))
(assignment_expression left: (member_expression) @typed right: (identifier) @copied)
