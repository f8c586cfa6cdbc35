"""One frp server, one namespace for a team, one container in it. Nothing here needs Istio."""

import pulumi
import pulumi_drawbridge as drawbridge

config = pulumi.Config()

frp = drawbridge.FrpServer(
    "frp",
    domain="ssh.example.com",
    seed=config.require_secret("frpSeed"),
    image=config.get("frpsImage") or "fatedier/frps:v0.70.1",
    authorizer={"image": config.require("authorizerImage")},
    egress={"api_server": config.require_object("apiServer")},
    load_balancer={"preset": drawbridge.LoadBalancerPreset.GENERIC},
)

team = drawbridge.Team("team-f")

dev1 = drawbridge.DevContainer(
    "dev1",
    namespace=team.namespace,
    image=config.require("image"),
    authorized_keys=config.require_object("authorizedKeys"),
    host_key={"seed": config.require_secret("hostKeySeed")},
    resources={"requests": {"cpu": "20m"}, "memory": "128Mi"},
    home={"size": "1Gi"},
    access={
        "frp": {
            "server": frp,
            "image": config.get("frpcImage") or "fatedier/frpc:v0.70.1",
        },
    },
)

pulumi.export("frpCommand", dev1.frp_command)
pulumi.export("sshConfig", dev1.ssh_config)
pulumi.export("knownHosts", dev1.known_hosts)
pulumi.export("sshTarget", dev1.ssh_target)
pulumi.export("address", frp.address)
