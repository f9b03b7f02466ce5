(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(method_definition name: (_) @name) @method

(lexical_declaration ["const" "let"] @keyword (variable_declarator name: (identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)
    (generator_function body: (_) @body)]) @function.top)
(lexical_declaration ["const" "let"] @keyword (variable_declarator name: (identifier) @name
  value: (class body: (_) @body)) @class.top)
(program (lexical_declaration ["const" "let"] @keyword (variable_declarator name: (identifier) @name) @variable))
(program (export_statement declaration:
  (lexical_declaration ["const" "let"] @keyword (variable_declarator name: (identifier) @name) @variable)))
(variable_declaration "var" @keyword (variable_declarator name: (identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)
    (generator_function body: (_) @body)]) @function.top)
(variable_declaration "var" @keyword (variable_declarator name: (identifier) @name
  value: (class body: (_) @body)) @class.top)
(program (variable_declaration "var" @keyword (variable_declarator name: (identifier) @name) @variable))
(program (export_statement declaration:
  (variable_declaration "var" @keyword (variable_declarator name: (identifier) @name) @variable)))

(export_statement "default" @name
  value: [(arrow_function body: (_) @body) (function_expression !name body: (_) @body)]) @function
(export_statement "default" @name value: (class !name body: (_) @body)) @class

(assignment_expression
  left: (member_expression object: (_) @owner property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) @function.top
(program (expression_statement (assignment_expression
  left: (member_expression object: (identifier) @owner property: (property_identifier) @name)
  (#eq? @owner "exports")) @variable))
(pair key: (property_identifier) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @method.top

(expression_statement (call_expression
  function: (identifier) @called
  arguments: (arguments . [(string (string_fragment) @name) (template_string (string_fragment) @name)]
    [(arrow_function body: (_) @body) (function_expression body: (_) @body)])
  (#any-of? @called "it" "test")) @test)
