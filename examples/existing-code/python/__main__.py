"""Two clusters of a program that existed before, each with containers; one also gets a gateway of its own."""

from typing import Any

import pulumi
import pulumi_drawbridge as drawbridge
import pulumi_kubernetes as kubernetes


class Tenant(pulumi.ComponentResource):
    """Stands for the code that a company has already: a component that makes namespaces by its own rules."""

    def __init__(self, name: str, opts: pulumi.ResourceOptions) -> None:
        super().__init__("example:index:Tenant", name, {}, opts)
        # The mark without which the gateway takes no routes from here.
        labels = {"drawbridge.dev/team": name}
        made = kubernetes.core.v1.Namespace(
            name,
            metadata={"name": name, "labels": labels},
            # A destroyed namespace takes its homes with it; this one stays.
            opts=pulumi.ResourceOptions(parent=self, retain_on_delete=True),
        )
        # Name of the namespace, there when it stands.
        self.namespace = made.metadata.name
        self.register_outputs({"namespace": self.namespace})


def with_team_label(args: pulumi.ResourceTransformArgs) -> pulumi.ResourceTransformResult | None:
    """Adds a label to every object of a component, as a company's rules may ask for."""
    if not args.type_.startswith("kubernetes:"):
        return None
    metadata: Any = args.props.get("metadata") or {}
    labels = {**metadata.get("labels", {}), "example.com/team": "research"}
    return pulumi.ResourceTransformResult(
        props={**args.props, "metadata": {**metadata, "labels": labels}}, opts=args.opts
    )


config = pulumi.Config()
image = config.require("image")
authorized_keys: list[str] = config.require_object("authorizedKeys")
host_key = drawbridge.HostKeyArgs(seed=config.require_secret("hostKeySeed"))

# What the program has already: a provider for each cluster, and a namespace with rules of its own.
east = kubernetes.Provider("east", kubeconfig=config.require_secret("eastKubeconfig"))
west = kubernetes.Provider("west", kubeconfig=config.require_secret("westKubeconfig"))
research = Tenant("research", pulumi.ResourceOptions(providers=[east]))

# The namespace becomes a team's: who may deploy there, how much in all, and nothing reached without a policy.
team = drawbridge.Team(
    "research",
    namespace=research.namespace,
    create_namespace=False,
    deployers={"groups": ["research-deployers"]},
    quota={"requests.storage": "500Gi"},
    opts=pulumi.ResourceOptions(providers=[east]),
)

# In the east a gateway is there: Istio's own ingress. Only routes and their filter are added to it.
ingress = drawbridge.SshGateway(
    "ssh",
    domain="east.example.com",
    existing={
        "namespace": "istio-ingress",
        "selector": {"istio": "ingressgateway"},
        "address": "ssh.east.example.com",
    },
    listeners={"plain": {"port": 8022}},
    opts=pulumi.ResourceOptions(providers=[east]),
)

# A home and a Secret that exist are used as they are; nothing here changes or deletes them.
alice = drawbridge.DevContainer(
    "alice",
    # Its objects keep the name under which they were made.
    name="workbench",
    namespace=team.namespace,
    image=image,
    authorized_keys=authorized_keys,
    host_key=host_key,
    access={"gateway": ingress},
    home={"claim_name": "alice-data"},
    mounts=[{"secret_name": "alice-git", "mount_path": "/secrets/git"}],
    opts=pulumi.ResourceOptions(
        providers=[east],
        parent=research,
        # It was called "workbench" in an earlier version of the program, at the top of the stack; with the alias, and
        # the name above, nothing is replaced.
        aliases=[pulumi.Alias(name="workbench", parent=pulumi.ROOT_STACK_RESOURCE)],
        transforms=[with_team_label],
    ),
)

# The west gets a gateway of its own, whose removal must be asked for twice.
west_gateway = drawbridge.SshGateway(
    "ssh-west",
    name="ssh-ingress",
    domain="west.example.com",
    load_balancer={"preset": drawbridge.LoadBalancerPreset.GENERIC},
    opts=pulumi.ResourceOptions(providers=[west], protect=True),
)
bob = drawbridge.DevContainer(
    "bob",
    namespace="research",
    image=image,
    authorized_keys=authorized_keys,
    host_key=host_key,
    access={"gateway": west_gateway},
    opts=pulumi.ResourceOptions(providers=[west]),
)

pulumi.export("sshConfig", pulumi.Output.format("{0}\n{1}", alice.ssh_config, bob.ssh_config))
