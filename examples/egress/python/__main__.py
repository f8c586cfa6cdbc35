"""One egress gateway, a team that may name some hosts, and a container that reaches two of them."""

import pulumi
import pulumi_drawbridge as drawbridge

config = pulumi.Config()

egress = drawbridge.EgressGateway(
    "egress",
    authorizer={"image": config.require("authorizerImage")},
    egress={"api_server": config.require_object("apiServer")},
    autoscaling={"max_replicas": 5},
)

# What no container of the team gets past; an SshGateway brings these policies too.
drawbridge.TeamPolicies("teams")
team = drawbridge.Team(
    "team-e",
    allowed_hosts=["pypi.org", "*.pythonhosted.org", "git.example.com:22"],
)

dev1 = drawbridge.DevContainer(
    "dev1",
    namespace=team.namespace,
    image=config.require("image"),
    authorized_keys=config.require_object("authorizedKeys"),
    host_key={"seed": config.require_secret("hostKeySeed")},
    resources={"requests": {"cpu": "100m"}, "memory": "512Mi"},
    home={"size": "1Gi"},
    access={"sshpod": {"groups": ["team-e"]}},
    egress={"gateway": egress, "hosts": ["pypi.org", "*.pythonhosted.org"]},
)

pulumi.export("sshConfig", dev1.ssh_config)
pulumi.export("knownHosts", dev1.known_hosts)
pulumi.export("sshTarget", dev1.ssh_target)
