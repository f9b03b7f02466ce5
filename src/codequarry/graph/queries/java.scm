(import_declaration) @statement

(superclass
  [(type_identifier) @name (generic_type . (type_identifier) @name)]) @reference.extends
(extends_interfaces (type_list
  [(type_identifier) @name (generic_type . (type_identifier) @name)])) @reference.extends
(super_interfaces (type_list
  [(type_identifier) @name (generic_type . (type_identifier) @name)])) @reference.implements
(type_identifier) @name @reference.type
