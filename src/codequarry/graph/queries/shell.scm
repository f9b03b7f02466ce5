(command name: (command_name (word) @name)) @reference.call
(command name: (command_name (word) @called) argument: (_) @module
  (#any-of? @called "source" "."))
