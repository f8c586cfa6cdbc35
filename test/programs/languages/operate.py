"""Previews a program's stack by Pulumi's Automation API for Python."""

from pulumi import automation


def main(program: automation.PulumiFn) -> None:
    stack = automation.create_or_select_stack(
        stack_name="test", project_name="drawbridge-test", program=program
    )
    # With PULUMI_OPTION_JSON a digest.
    print(stack.preview().stdout)
