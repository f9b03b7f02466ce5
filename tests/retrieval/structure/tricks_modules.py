"""Ways to use what a module of ECMAScript exports that do not look like a call of its name."""

from typing import Final

from tests.retrieval.structure.tricks_elsewhere import Files

_JS: Final = "export default function {0}(x) {{\n  return x;\n}}\n"
_COMMON: Final = "function {0}(x) {{\n  return x;\n}}\n\nmodule.exports = {0};\n"
_NAMED: Final = "export function {0}(x) {{\n  return x;\n}}\n"


def script(definition: str, user: str, extension: str = "js", **more: str) -> Files:
    """Give a definition, the files between, and the user."""
    between = {f"{name}.{extension}": text for name, text in more.items()}
    return {f"def.{extension}": definition, **between, f"user.{extension}": user}


MODULES: Final[dict[str, tuple[int, Files]]] = {
    "then_default": (
        1,
        script(
            _JS.format("thenMe"),
            "export function go(x) {\n  return import('./def').then(m => m.default(x));\n}\n",
        ),
    ),
    "lazy": (
        1,
        script(
            _JS.format("LazyMe"),
            "const Part = lazy(() => import('./def'));\n\n"
            "export function show() {\n  return <Part/>;\n}\n",
        ),
    ),
    "require_call": (
        1,
        script(
            _COMMON.format("calledAtOnce"), "function go(x) {\n  return require('./def')(x);\n}\n"
        ),
    ),
    "require_member": (
        1,
        script(
            "function memberOf(x) {\n  return x;\n}\n\nmodule.exports = { memberOf };\n",
            "const y = require('./def').memberOf(1);\n",
        ),
    ),
    "require_rebound": (
        1,
        script(
            "function reboundMe(x) {\n  return x;\n}\n\nexports.reboundMe = reboundMe;\n",
            "const reboundMe = require('./def').reboundMe;\n\n"
            "function go(x) {\n  return reboundMe(x);\n}\n",
        ),
    ),
    "require_renamed": (
        1,
        script(
            _COMMON.format("plainWhole"),
            "const other = require('./def');\n\nfunction go(x) {\n  return [x].map(other);\n}\n",
        ),
    ),
    "await_import": (
        1,
        script(
            _NAMED.format("awaitMe"),
            "export async function go(x) {\n  const { awaitMe: g } = await import('./def');\n"
            "  return g(x);\n}\n",
        ),
    ),
    "await_default": (
        1,
        script(
            _JS.format("awaitDefault"),
            "export async function go(x) {\n  const { default: g } = await import('./def');\n"
            "  return g(x);\n}\n",
        ),
    ),
    "export_as": (
        1,
        script(
            _NAMED.format("exportedAs"),
            "import { shown } from './index';\n\nexport function go(x) {\n"
            "  return [x].map(shown);\n}\n",
            index="export { exportedAs as shown } from './def';\n",
        ),
    ),
    "export_namespace": (
        1,
        script(
            _NAMED.format("inSpace"),
            "import { ns } from './index';\n\nexport function go(x) {\n"
            "  return ns.inSpace(x);\n}\n",
            index="export * as ns from './def';\n",
        ),
    ),
    "namespace_values": (
        1,
        {
            "defvalues.js": _NAMED.format("amongValues"),
            "user.js": (
                "import * as all from './defvalues';\n\nexport function go(x) {\n"
                "  return Object.values(all).map(f => f(x));\n}\n"
            ),
        },
    ),
    "namespace_key": (
        1,
        {
            "defkeys.js": _NAMED.format("amongKeys"),
            "user.js": (
                "export async function go(x) {\n  const all = await import('./defkeys');\n"
                "  return all[x](x);\n}\n"
            ),
        },
    ),
    "namespace_default": (
        1,
        script(
            _JS.format("spaceDefault"),
            "import * as all from './def';\n\nexport function go(x) {\n"
            "  return all.default(x);\n}\n",
        ),
    ),
    "path_alias": (
        1,
        {
            "defined.js": _JS.format("aliasedPath"),
            "user.js": (
                "import cut from '@app/path_alias/defined';\n\nexport function go(x) {\n"
                "  return cut(x);\n}\n"
            ),
        },
    ),
    "import_equals": (
        2,
        script(
            "export namespace money {\n  export function heldTax(x: number) {\n    return x;\n"
            "  }\n}\n",
            "import { money } from './def';\nimport lev = money.heldTax;\n\n"
            "export function go(x: number) {\n  return lev(x);\n}\n",
            "ts",
        ),
    ),
    "structural": (
        2,
        script(
            "export class Round {\n  areaOf(): number {\n    return 3;\n  }\n}\n",
            "export interface HasArea {\n  areaOf(): number;\n}\n\n"
            "export function go(x: HasArea) {\n  return x.areaOf();\n}\n",
            "ts",
        ),
    ),
    "behind_an_apostrophe": (
        1,
        script(
            _JS.format("quotedMe"),
            "/* don't */ const W = lazy(() => import('./def'));\n\n"
            "export function go(x) {\n  return <W/>;\n}\n",
        ),
    ),
    "with_a_query": (
        1,
        {
            "defquery.js": _JS.format("queryMe"),
            "user.js": (
                "import Work from './defquery?worker';\n\nexport function go(x) {\n"
                "  return new Work(x);\n}\n"
            ),
        },
    ),
    "behind_a_comment": (
        1,
        {
            "defbare.js": _JS.format("commentMe"),
            "user.js": (
                "const W = lazy(() => import(\n  /* webpackChunkName: 'x' */\n  'defbare'\n));\n\n"
                "export function go(x) {\n  return <W/>;\n}\n"
            ),
        },
    ),
    "composed_template": (
        2,
        script(
            "export class Visitor {\n  templated_leaf() {\n    return 1;\n  }\n}\n",
            "export function go(v, kind) {\n  return v[`templated_${kind}`]();\n}\n",
        ),
    ),
    "glob_default": (
        1,
        script(
            _JS.format("globMe"),
            "const all = import.meta.glob<Mod>(\n  './*.js',\n);\n\nexport function go(x) {\n"
            "  return Object.values(all).map(m => m().then(n => n.default(x)));\n}\n",
            "ts",
        ),
    ),
    "template_default": (
        1,
        script(
            _JS.format("templateMe"),
            "export async function go(x) {\n"
            "  return (await import(/* @vite-ignore */ `./${x}.js`)).default(x);\n}\n",
        ),
    ),
    "glob_list": (
        1,
        {
            "b/def.js": _JS.format("listedMe"),
            "user.js": (
                "const all = import.meta.glob(['./a/*.js', './b/*.js']);\n\n"
                "export function go(x) {\n  return Object.values(all).map(m => m().then(x));\n}\n"
            ),
        },
    ),
    "two_templates": (
        1,
        {
            "a/def.js": _JS.format("firstOfTwo"),
            "user.js": (
                "export async function go(n, x) {\n"
                "  const m = n ? await import(`./a/${n}`) : await import(`./b/${n}`);\n"
                "  return m.default(x);\n}\n"
            ),
        },
    ),
    "sum_default": (
        1,
        script(
            _COMMON.format("sumMe"),
            "function go(x) {\n  return require('../sum_default/' + x)(x);\n}\n",
        ),
    ),
    "context_default": (
        1,
        script(
            _COMMON.format("contextMe"),
            "const all = require.context('.', true, /.js$/);\n\n"
            "function go(x) {\n  return all(x)(x);\n}\n",
        ),
    ),
}
"""Name of a trick to the line of what is used, and the files."""
