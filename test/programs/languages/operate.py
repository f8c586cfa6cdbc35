"""Runs one operation of a program's stack, as the last word says, by Pulumi's Automation API for Python."""

import json
import sys

from pulumi import automation


def main(
    program: automation.PulumiFn, project: str | None = None, config: dict[str, str] | None = None
) -> None:
    stack = automation.create_or_select_stack(
        stack_name="test",
        project_name="drawbridge-test",
        program=program,
        opts=automation.LocalWorkspaceOptions(work_dir=project),
    )
    for name, value in (config or {}).items():
        stack.set_config(name, automation.ConfigValue(value, secret=name.endswith("Seed")))
    match sys.argv[-1]:
        case "preview":
            # With PULUMI_OPTION_JSON a digest.
            print(stack.preview().stdout)
        case "up":
            result = stack.up()
            outputs = {name: output.value for name, output in result.outputs.items()}
            print(json.dumps({"changes": result.summary.resource_changes, "outputs": outputs}))
        case "destroy":
            stack.destroy()
        case "cancel":
            stack.cancel()
        case operation:
            raise SystemExit(f"there is no operation {operation!r}")
