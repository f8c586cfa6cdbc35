"""Values that are known later, from wherever they come."""

import pulumi
import pulumi_drawbridge as drawbridge
import pulumi_kubernetes as kubernetes

platform = pulumi.StackReference("platform", stack_name="organization/platform/dev")
# Pulumi chooses its name; its id, which is the same, is known to no preview.
team = kubernetes.core.v1.Namespace("team", metadata={"labels": {"drawbridge.dev/team": "team-a"}})
gateway = drawbridge.SshGateway(
    "gw",
    domain="dev.example.com",
    load_balancer={"preset": drawbridge.LoadBalancerPreset.GENERIC},
)
container = drawbridge.DevContainer(
    "dev1",
    namespace=team.id,
    image=platform.require_output("image"),
    authorized_keys=platform.require_output("keys"),
    access={"gateway": gateway},
    host_key={"seed": platform.require_output("seed")},
)
pulumi.export("knownHosts", container.known_hosts)
pulumi.export("sshConfig", container.ssh_config)
