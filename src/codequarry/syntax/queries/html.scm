(element
  (start_tag (attribute (attribute_name) @attribute
    [(attribute_value) @name (quoted_attribute_value (attribute_value) @name)])) @signature
  (#eq? @attribute "id")) @section
(element (start_tag (tag_name) @level) (#any-of? @level "h1" "h2" "h3" "h4" "h5" "h6" "H1" "H2" "H3" "H4" "H5" "H6")) @name @section
