"""Previews a program as it stands by Pulumi's Automation API for Python: `example.py PROGRAM PROJECT`."""

import runpy
import sys

from pulumi import automation

program, project = sys.argv[1:]
stack = automation.create_or_select_stack(
    stack_name="test",
    project_name="drawbridge-test",
    program=lambda: runpy.run_path(program, run_name="__main__") and None,
    opts=automation.LocalWorkspaceOptions(work_dir=project),
)
# With PULUMI_OPTION_JSON a digest.
print(stack.preview().stdout)
