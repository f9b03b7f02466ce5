"""SPDX ids of licences that the Open Source Initiative approved, by whether they are copyleft.

An id that is in neither list is unknown to the gate: a list of what is allowed cannot be outrun by
new licences that forbid something.
"""

PERMISSIVE = frozenset(
    """0BSD AFL-3.0 Apache-1.1 Apache-2.0 Artistic-2.0 BlueOak-1.0.0 BSD-1-Clause BSD-2-Clause
    BSD-2-Clause-Patent BSD-3-Clause BSD-3-Clause-LBNL BSL-1.0 CNRI-Python ECL-2.0 EFL-2.0 Fair HPND
    ICU ISC MirOS MIT MIT-0 MIT-Modern-Variant MulanPSL-2.0 NCSA NTP OLDAP-2.8 PHP-3.01 PostgreSQL
    Python-2.0 Unicode-3.0 Unicode-DFS-2015 Unicode-DFS-2016 Unlicense UPL-1.0 W3C Xnet Zlib ZPL-2.0
    ZPL-2.1""".split()
)
"""Those that let the code be used in anything."""

_GNU = ("GPL-2.0", "GPL-3.0", "AGPL-3.0", "LGPL-2.0", "LGPL-2.1", "LGPL-3.0")

COPYLEFT = frozenset(
    (
        *"""APSL-2.0 CDDL-1.0 CECILL-2.1 CPL-1.0 EPL-1.0 EPL-2.0 EUPL-1.1 EUPL-1.2 IPL-1.0 MPL-1.1
        MPL-2.0 MPL-2.0-no-copyleft-exception MS-PL MS-RL OSL-3.0 Sleepycat""".split(),
        *(f"{name}{suffix}" for name in _GNU for suffix in ("-only", "-or-later")),
    )
)
"""Those that ask something of code that is linked with it: run apart, they do not."""
