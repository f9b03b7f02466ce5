(package_clause (package_identifier) @name) @package
(function_declaration name: (identifier) @name) @function
(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @owner))
  name: (field_identifier) @name) @method
(type_declaration "type" @keyword
  (type_spec name: (type_identifier) @name type: (struct_type (field_declaration_list) @body)) @type)
(type_declaration "type" @keyword (type_spec name: (type_identifier) @name) @type)
(type_declaration "type" @keyword (type_alias name: (type_identifier) @name) @type)
(source_file (const_declaration "const" @keyword (const_spec name: (identifier) @name) @variable))
(source_file (var_declaration "var" @keyword (var_spec name: (identifier) @name) @variable))
(source_file (var_declaration "var" @keyword (var_spec_list (var_spec name: (identifier) @name) @variable)))
