"""Runs one operation of a program's stack, as the first word says, by Pulumi's Automation API for Python."""

import json
import sys

from pulumi import automation


def main(program: automation.PulumiFn) -> None:
    stack = automation.create_or_select_stack(
        stack_name="test", project_name="drawbridge-test", program=program
    )
    operation = sys.argv[1]
    if operation == "preview":
        # With PULUMI_OPTION_JSON a digest.
        print(stack.preview().stdout)
    elif operation == "up":
        result = stack.up()
        outputs = {name: output.value for name, output in result.outputs.items()}
        print(json.dumps({"changes": result.summary.resource_changes, "outputs": outputs}))
    else:
        stack.destroy()
