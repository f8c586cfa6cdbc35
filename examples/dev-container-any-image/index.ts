import { DevContainer, SshMode, Team } from "@drawbridge-iac/drawbridge";
import * as pulumi from "@pulumi/pulumi";

/** An application's own image, unmodified, to log in to; the gateway is another stack's. */
export default function program() {
  const config = new pulumi.Config();
  const platform = new pulumi.StackReference("platform", { name: config.require("platformStack") });

  const team = new Team("team-a");

  const app = new DevContainer("app", {
    namespace: team.namespace,
    image: config.require("image"),
    ssh: { mode: SshMode.injected, image: config.require("sshdBundle") },
    command: ["sh", "-c", "exec sleep infinity"],
    user: { name: "dev", uid: 1001 },
    authorizedKeys: config.requireObject<string[]>("authorizedKeys"),
    hostKey: { seed: config.requireSecret("hostKeySeed") },
    access: { gateway: platform.requireOutput("gateway") },
    resources: { requests: { cpu: "100m" }, memory: "256Mi" },
    env: { STAGE: "development" },
    startupScript: "#!/bin/sh\necho started >~/started\n",
    home: { size: "1Gi" },
    persist: { paths: ["/srv/data"], size: "1Gi" },
    ports: [{ name: "web", port: 8080, primary: true }],
  });

  return { knownHosts: app.knownHosts, hostName: app.hostName, podName: app.podName, url: app.url };
}
