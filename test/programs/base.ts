import * as pulumi from "@pulumi/pulumi";

export const aliceKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";

/** What each of these programs says of its container, whatever its need is. */
export function base() {
  const config = new pulumi.Config();
  return {
    namespace: "team-a",
    image: "registry.example.com/team/devcontainer:1.0.0",
    authorizedKeys: [aliceKey],
    hostKey: { seed: config.requireSecret("hostKeySeed") },
    access: {
      gateway: { name: "ssh-ingress", namespace: "ssh-ingress", domain: "dev.example.com", plainPort: 80 },
    },
  };
}
