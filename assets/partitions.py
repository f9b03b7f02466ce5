"""The one partition definition: a partition is a registered project."""

import dagster as dg

projects = dg.DynamicPartitionsDefinition(name="projects")
