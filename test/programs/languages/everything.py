"""Previews the components that a file lists as [kind, name, arguments], and prints what the preview would do."""

import json
import sys

import pulumi_drawbridge as drawbridge
from pulumi import automation


def program() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        for kind, name, args in json.load(file):
            getattr(drawbridge, kind)(name, **args)


stack = automation.create_or_select_stack(
    stack_name="test", project_name="drawbridge-test", program=program
)
changes: list[str] = []


def note(event: automation.EngineEvent) -> None:
    if event.resource_pre_event is not None:
        metadata = event.resource_pre_event.metadata
        changes.append(f"{metadata.op.value} {metadata.urn}")


stack.preview(on_event=note)
print(json.dumps(changes))
