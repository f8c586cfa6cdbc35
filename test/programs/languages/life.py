"""What a program meets in its life: `life.py PROJECT PROGRAM OPERATION`."""

import sys
from typing import Any

import operate
import pulumi
import pulumi_drawbridge as drawbridge

IMAGE = "registry.example.com/team/image:1.0.0"


def wrong() -> None:
    # What no type checker saw.
    unchecked: Any = drawbridge.DevContainer
    unchecked(
        "dev1",
        namespace=7,
        image=IMAGE,
        ssh={"port": "22", "colour": "red"},
        authorized_keys=[None, "nonsense"],
        access={"gateway": {"name": "gw", "namespace": "gw"}},
    )


def missing() -> None:
    unchecked: Any = drawbridge.StorageAccessor
    unchecked("models")


def secrets() -> None:
    frp = drawbridge.FrpServer(
        "frp",
        domain="ssh.example.com",
        seed=pulumi.Output.secret("only-for-tests-frp-0123456789abcdef0123456789"),
        authorizer={"image": IMAGE},
        egress={"api_server": [{"cidr": "192.0.2.10/32"}]},
        load_balancer={"preset": drawbridge.LoadBalancerPreset.GENERIC},
    )
    drawbridge.DevContainer(
        "dev1",
        namespace="team-a",
        image=frp.address.apply(lambda _: IMAGE),
        ssh={"mode": drawbridge.SshMode.NONE},
        secret_env={"PASSWORD": frp.metrics_password},
    )
    pulumi.export("password", frp.metrics_password)


def claim() -> None:
    drawbridge.StorageAccessor("models", namespace="team-a", size="64Mi")


def taken_back(args: pulumi.ResourceTransformArgs) -> pulumi.ResourceTransformResult | None:
    if args.name != "models-claim":
        return None
    found = pulumi.ResourceOptions(import_="team-a/models-storage")
    return pulumi.ResourceTransformResult(args.props, pulumi.ResourceOptions.merge(args.opts, found))


def imported() -> None:
    options = pulumi.ResourceOptions(transforms=[taken_back])
    drawbridge.StorageAccessor("models", namespace="team-a", size="64Mi", opts=options)


def waiting() -> None:
    # Nothing here runs a Job, so `up` waits for it.
    prepare = drawbridge.StoragePrepareArgs(image=IMAGE, command=["true"])
    drawbridge.StorageAccessor("waited", namespace="team-a", size="64Mi", prepare=prepare)


project, program, _ = sys.argv[1:]
operate.main(globals()[program], project)
