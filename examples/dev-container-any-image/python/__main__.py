"""An application's own image, unmodified, to log in to; the gateway is another stack's."""

import pulumi
import pulumi_drawbridge as drawbridge

config = pulumi.Config()
platform = pulumi.StackReference("platform", stack_name=config.require("platformStack"))

team = drawbridge.Team("team-a")

app = drawbridge.DevContainer(
    "app",
    namespace=team.namespace,
    image=config.require("image"),
    ssh={"mode": drawbridge.SshMode.INJECTED, "image": config.require("sshdBundle")},
    command=["sh", "-c", "exec sleep infinity"],
    user={"name": "dev", "uid": 1001},
    authorized_keys=config.require_object("authorizedKeys"),
    host_key={"seed": config.require_secret("hostKeySeed")},
    access={"gateway": platform.require_output("gateway")},
    resources={"requests": {"cpu": "100m"}, "memory": "256Mi"},
    env={"STAGE": "development"},
    startup_script="#!/bin/sh\necho started >~/started\n",
    home={"size": "1Gi"},
    persist={"paths": ["/srv/data"], "size": "1Gi"},
    ports=[{"name": "web", "port": 8080, "primary": True}],
)

pulumi.export("knownHosts", app.known_hosts)
pulumi.export("hostName", app.host_name)
pulumi.export("podName", app.pod_name)
pulumi.export("url", app.url)
