(rule_set (selectors) @name) @selector
(keyframes_statement (keyframes_name) @name) @selector
(media_statement) @scope
