"""A team in Python: a gateway, a storage, and a container that mounts it."""

import json
import os
from typing import Any

import operate
import pulumi
import pulumi_drawbridge as drawbridge

given: dict[str, Any] = json.loads(os.environ["DRAWBRIDGE_TEAM"])
images: dict[str, str] = given["images"]


def program() -> None:
    gateway = drawbridge.SshGateway(
        given["gateway"],
        domain="dev.example.com",
        image=images["proxy"],
        replicas=1,
        drain_seconds=8,
        load_balancer=drawbridge.LoadBalancerArgs(preset=drawbridge.LoadBalancerPreset.GENERIC),
    )
    team = drawbridge.Team(
        given["namespace"],
        create_namespace=False,
        quota={"pods": "20"},
        deployers=drawbridge.TeamDeployersArgs(users=["alice"]),
    )
    namespace = team.namespace
    drawbridge.TeamMembers(
        given["namespace"],
        namespace=namespace,
        viewers=drawbridge.SubjectsArgs(groups=["team"]),
        sshpod=drawbridge.SubjectsArgs(users=["bob"]),
    )
    storage = drawbridge.StorageAccessor("models", namespace=namespace, size="64Mi")
    container = drawbridge.DevContainer(
        "dev1",
        namespace=namespace,
        image=pulumi.Output.from_input(images["container"]),
        authorized_keys=given["keys"],
        host_key=drawbridge.HostKeyArgs(seed=pulumi.Output.secret(given["seed"])),
        ssh=drawbridge.DevContainerSshArgs(mode=drawbridge.SshMode.IMAGE),
        resources=drawbridge.DevContainerResourcesArgs(memory="256Mi", requests={"cpu": "50m"}),
        home=drawbridge.DevContainerVolumeArgs(size="64Mi"),
        env={"GREETING": given["greeting"]},
        access=drawbridge.DevContainerAccessArgs(
            gateway=gateway
        ),
        mounts=[drawbridge.DevContainerMountArgs(storage=storage, mount_path="/models")],
    )
    pulumi.export("sshConfig", container.ssh_config)
    pulumi.export("knownHosts", container.known_hosts)
    pulumi.export("sshTarget", container.ssh_target)
    pulumi.export("phase", container.status.phase)
    pulumi.export("claimName", storage.claim_name)


operate.main(program)
