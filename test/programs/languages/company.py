"""A company's own class around a team, as docs/team.md has it, on a cluster that only the company's provider reaches."""

import json
import os
from typing import Any

import operate
import pulumi
import pulumi_drawbridge as drawbridge
import pulumi_kubernetes as kubernetes

given: dict[str, Any] = json.loads(os.environ["DRAWBRIDGE_TEAM"])
images: dict[str, str] = given["images"]


def program() -> None:
    cluster = kubernetes.Provider("company", kubeconfig=pulumi.Output.secret(given["kubeconfig"]))
    opts = pulumi.ResourceOptions(providers=[cluster])
    gateway = drawbridge.SshGateway(
        given["gateway"],
        domain="dev.example.com",
        image=images["proxy"],
        replicas=1,
        drain_seconds=8,
        load_balancer={"preset": drawbridge.LoadBalancerPreset.GENERIC},
        opts=opts,
    )
    # What the page's block takes from around it.
    page: dict[str, Any] = {"config": pulumi.Config(), "gateway": gateway}
    exec(given["block"], page)
    people = page["Department"](given["namespace"], given["people"], opts).containers
    pulumi.export("sshConfig", pulumi.Output.concat(*[one.ssh_config for one in people]))
    pulumi.export("knownHosts", pulumi.Output.concat(*[one.known_hosts for one in people]))


operate.main(program, config={"image": images["container"], "hostKeySeed": given["seed"]})
