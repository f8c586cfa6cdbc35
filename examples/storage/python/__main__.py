"""One storage: filled by a Job, browsed by alice, mounted in dev1."""

import pulumi
import pulumi_drawbridge as drawbridge

config = pulumi.Config()
# Images of your own registry; without "proxy" and "dufs" the projects' published ones are used.
images: dict[str, str] = config.require_object("images")

gateway = drawbridge.SshGateway(
    "ssh-ingress",
    domain="dev.example.com",
    replicas=1,
    load_balancer={"preset": drawbridge.LoadBalancerPreset.GENERIC},
)
proxy = drawbridge.StorageProxy(
    "files",
    replicas=1,
    drain_seconds=5,
    image=images.get("proxy"),
    load_balancer={"preset": drawbridge.LoadBalancerPreset.GENERIC},
)

team = drawbridge.Team("team-a")

models = drawbridge.StorageAccessor(
    "models",
    namespace=team.namespace,
    size="1Gi",
    prepare=drawbridge.StoragePrepareArgs(
        image=images["tools"],
        command=["sh", "-c"],
        args=["mkdir -p model && echo seeded > model/README.txt"],
    ),
    browse=drawbridge.StorageBrowseArgs(
        proxy=proxy,
        actions=[drawbridge.StorageAction.SEARCH, drawbridge.StorageAction.ARCHIVE],
        credentials=[
            drawbridge.StorageCredentialArgs(user="alice", password=config.require_secret("alicePassword"))
        ],
        image=images.get("dufs"),
    ),
)

dev1 = drawbridge.DevContainer(
    "dev1",
    namespace=team.namespace,
    image=images["container"],
    authorized_keys=config.require_object("authorizedKeys"),
    host_key={"seed": config.require_secret("hostKeySeed")},
    resources={"requests": {"cpu": "100m"}, "memory": "512Mi"},
    home={"size": "1Gi"},
    access={"gateway": gateway},
    mounts=[{"storage": models, "mount_path": "/models"}],
)

pulumi.export("url", models.url)
pulumi.export("status", models.status)
pulumi.export("sshConfig", dev1.ssh_config)
pulumi.export("knownHosts", dev1.known_hosts)
# For the `drawbridge` command.
pulumi.export("sshTarget", dev1.ssh_target)
pulumi.export("storageTarget", models.storage_target)
