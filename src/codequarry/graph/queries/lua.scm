(function_call name: (identifier) @called
  arguments: (arguments . (string content: (string_content) @module))
  (#eq? @called "require"))
