"""Facts of one statement, from its syntax tree by sqlglot."""

from collections.abc import Iterator

from sqlglot import exp

from codequarry.retrieval.lexical.sql.facts import FactKind, Said

SELECTED = "select into"
"""The detail of a write by ``SELECT … INTO``, which in most dialects' routines sets a variable."""

_DEFINES: dict[str, FactKind] = {"TABLE": "defines_table", "VIEW": "defines_view"}
_WRITES: tuple[tuple[type[exp.Expr], str], ...] = (
    (exp.Insert, "insert"),
    (exp.Update, "update"),
    (exp.Delete, "delete"),
    (exp.Merge, "merge"),
    (exp.TruncateTable, "truncate"),
)


def said_by(tree: exp.Expr) -> Iterator[Said]:
    """Give what a statement says, each fact once."""
    yield from dict.fromkeys(_said(tree))


def _said(tree: exp.Expr) -> Iterator[Said]:
    taken: set[int] = set()
    for node in tree.walk():
        for kind, table, detail in _of_node(node):
            taken.add(id(table.this if isinstance(table, exp.Schema) else table))
            name = table_name(_aliased(node, table))
            if name:
                yield kind, name, detail
    yield from _constraints(tree)
    for index in tree.find_all(exp.IndexColumnConstraint, exp.UniqueColumnConstraint):
        named = index.this.this if isinstance(index.this, exp.Schema) else index.this
        if isinstance(named, exp.Identifier):
            yield "defines_index", named.name, ""
    for table in tree.find_all(exp.Table):
        name = table_name(table)
        if id(table) not in taken and name and not _is_cte(table):
            yield _use_of(table), name, SELECTED if _is_selected_into(table) else ""


def _use_of(table: exp.Table) -> FactKind:
    if isinstance(table.parent, exp.Join):
        return "joins"
    if _is_selected_into(table):
        return "writes_to"
    is_read = table.find_ancestor(exp.Query, exp.DML, exp.Merge) is not None
    return "reads_from" if is_read else "references_object"


def _is_selected_into(table: exp.Table) -> bool:
    return isinstance(table.parent, exp.Into)


def _aliased(node: exp.Expr, target: exp.Expr) -> exp.Expr:
    """Give the table that the target of an update or a delete is only an alias of."""
    if isinstance(node, exp.Update | exp.Delete) and isinstance(target, exp.Table):
        for table in node.find_all(exp.Table):
            if table is not target and table.alias and table.alias == table_name(target):
                return table
    return target


def _of_node(node: exp.Expr) -> Iterator[tuple[FactKind, exp.Expr, str]]:
    """Give the facts of one node whose table is their subject."""
    if isinstance(node, exp.Create):
        yield from _created(node)
    elif isinstance(node, exp.Drop):
        for table in _subjects(node, "this", "tables"):
            yield "drops_object", table, str(node.args.get("kind") or "").lower()
    elif isinstance(node, exp.Alter):
        for table in _subjects(node, "this"):
            yield "alters_table", table, ""
        for renamed in node.find_all(exp.AlterRename):
            yield "renames_object", renamed.this, table_name(node.this)
    elif isinstance(node, exp.Reference):
        for table in _subjects(node, "this"):
            yield "references_object", table, ""
    for kind, operation in _WRITES:
        if isinstance(node, kind):
            for table in _subjects(node, "this", "tables", "expressions"):
                yield "writes_to", table, operation


def _created(node: exp.Create) -> Iterator[tuple[FactKind, exp.Expr, str]]:
    kind = str(node.args.get("kind") or "").upper()
    if kind in _DEFINES:
        yield _DEFINES[kind], node.this, ""
    elif isinstance(node.this, exp.Index):
        for table in _subjects(node.this, "table"):
            yield "references_object", table, ""


def _subjects(node: exp.Expr, *arguments: str) -> Iterator[exp.Expr]:
    for argument in arguments:
        value = node.args.get(argument)
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, exp.Table | exp.Schema):
                yield item.this if isinstance(item, exp.Schema) else item


def _constraints(tree: exp.Expr) -> Iterator[Said]:
    """Give the foreign keys, by their name or by that of their table."""
    for reference in tree.find_all(exp.Reference):
        named = reference.find_ancestor(exp.Constraint)
        owner = reference.find_ancestor(exp.Create, exp.Alter)
        name = named.name if named is not None else ""
        if not name and owner is not None:
            name = table_name(owner.this)
        yield "defines_constraint", name, "foreign key"


def table_name(node: exp.Expr | None) -> str:
    """Give a table's name without quotes, up to three parts joined by dots."""
    if isinstance(node, exp.Schema):
        node = node.this
    if not isinstance(node, exp.Table) or not isinstance(node.this, exp.Identifier | exp.Dot):
        return ""
    return ".".join(part.name for part in node.parts[-3:] if part.name)


def _is_cte(table: exp.Table) -> bool:
    """Tell whether a name is that of a WITH clause in whose reach it stands."""
    if table.args.get("db") is not None:
        return False
    name, inner = table.name.casefold(), table
    node: exp.Expr | None = table.parent
    within: exp.CTE | None = table.find_ancestor(exp.CTE)
    while node is not None:
        clause = node.args.get("with_") or node.args.get("with")
        if isinstance(clause, exp.With) and _reaches(clause, name, within, inner):
            return True
        node = node.parent
    return False


def _reaches(clause: exp.With, name: str, within: exp.CTE | None, table: exp.Table) -> bool:
    """Tell whether a WITH clause names a table for a place; each part sees those before it."""
    for cte in clause.expressions:
        holds = any(node is cte for node in _ancestors(table))
        if holds and not clause.args.get("recursive"):
            return False
        if cte.alias.casefold() == name:
            return True
    return False


def _ancestors(node: exp.Expr) -> Iterator[exp.Expr]:
    parent = node.parent
    while parent is not None:
        yield parent
        parent = parent.parent
