"""One gateway, one namespace for a team, one container in it."""

import pulumi
import pulumi_drawbridge as drawbridge

config = pulumi.Config()

gateway = drawbridge.SshGateway(
    "ssh-ingress",
    domain="dev.example.com",
    image=config.get("proxyImage") or "auto",
    replicas=1,
    load_balancer={"preset": drawbridge.LoadBalancerPreset.GENERIC},
)

team = drawbridge.Team("team-a")

dev1 = drawbridge.DevContainer(
    "dev1",
    namespace=team.namespace,
    image=config.require("image"),
    authorized_keys=config.require_object("authorizedKeys"),
    host_key={"seed": config.require_secret("hostKeySeed")},
    resources={"requests": {"cpu": "100m"}, "memory": "512Mi"},
    home={"size": "1Gi"},
    access={"gateway": gateway},
)

pulumi.export("sshConfig", dev1.ssh_config)
pulumi.export("knownHosts", dev1.known_hosts)
pulumi.export("sshCommand", dev1.ssh_command)
pulumi.export("sshTarget", dev1.ssh_target)
