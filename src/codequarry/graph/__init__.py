"""The code graph: nodes and edges of a project, from its records and the references of its files.

`build` makes it; `sources`, `queries`, `references` and `imports` read one file; `layout`,
`modules`, `scope` and `resolve` tell what a name means; `symbols`, `nodes`, `spans`, `links` and
`edges` hold nodes and edges. Ranking over the graph is not here.
"""
