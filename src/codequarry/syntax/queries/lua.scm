(function_declaration name: (_) @name) @function
(assignment_statement (variable_list . name: (_) @name) (expression_list . value: (function_definition body: (_)? @body))) @function.top
(chunk (variable_declaration "local" @keyword (assignment_statement (variable_list name: (identifier) @name)) @variable))
(chunk (assignment_statement (variable_list name: (identifier) @name)) @variable)
