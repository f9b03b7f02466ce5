(import_declaration) @statement

(superclass
  [(type_identifier) @name (generic_type . (type_identifier) @name)]) @reference.extends
(extends_interfaces (type_list
  [(type_identifier) @name (generic_type . (type_identifier) @name)])) @reference.extends
(super_interfaces (type_list
  [(type_identifier) @name (generic_type . (type_identifier) @name)])) @reference.implements
(type_identifier) @name @reference.type

(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @typed))
(local_variable_declaration type: [(type_identifier) (generic_type) (scoped_type_identifier)] @type
  declarator: (variable_declarator name: (identifier) @typed)
  (#not-eq? @type "var"))
(local_variable_declaration type: (type_identifier) @var
  declarator: (variable_declarator name: (identifier) @typed
    value: [
      (object_creation_expression type: (_) @made)
      (method_invocation !object name: (identifier) @made)])
  (#eq? @var "var"))
(formal_parameter type: (_) @type name: (identifier) @typed)
(resource type: (_) @type name: (identifier) @typed)
(enhanced_for_statement type: (_) @type name: (identifier) @typed (#not-eq? @type "var"))
(catch_formal_parameter (catch_type (_) @type) name: (identifier) @typed)
(method_declaration type: (_) @type name: (identifier) @returning)

(object_creation_expression type: [
  (type_identifier) @name
  (generic_type . [(type_identifier) @name (scoped_type_identifier (type_identifier) @name .)])
  (scoped_type_identifier (type_identifier) @name .)]) @reference.call
