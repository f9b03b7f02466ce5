(call method: (identifier) @called
  arguments: (argument_list . (string (string_content) @module))
  (#any-of? @called "require" "load"))
(call method: (identifier) @called
  arguments: (argument_list . (string (string_content) @module))
  (#eq? @called "require_relative")) @relative

(superclass
  [(constant) @name (scope_resolution name: (constant) @name)]) @reference.extends
(call method: (identifier) @called
  arguments: (argument_list [(constant) @name (scope_resolution name: (constant) @name)])
  (#any-of? @called "include" "extend" "prepend")) @reference.implements
(constant) @name @reference.type

(method_parameters (identifier) @local)
(block_parameters (identifier) @local)
(optional_parameter name: (identifier) @local)
(keyword_parameter name: (identifier) @local)
(assignment left: (identifier) @local)
(left_assignment_list (identifier) @local)

(assignment left: [(identifier) (instance_variable)] @typed
  right: (call receiver: [(constant) (scope_resolution)] @made method: (identifier) @called)
  (#eq? @called "new"))
(assignment left: (instance_variable) @typed right: (identifier) @copied)
