/** FrpServer and a container behind it under the real engine, with no cluster. */
import { DevContainer } from "@drawbridge-iac/drawbridge";
import { expect, it } from "vitest";
import { testStack, unreachableKubeconfig } from "../../scripts/lib/engine/engine.ts";

const secrets = {
  frpSeed: "an-frp-seed-of-the-engine-test-0123456789",
  hostKeySeed: "a-host-key-seed-of-the-engine-test-0123456789",
};
const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5vTNGoYN8XmFyFTyyhbnu5zrBZKdHzrhXm7QGVaVJP alice";

it("uses an frps elsewhere without a FrpServer, and makes no grant for it", async () => {
  const made: string[] = [];
  const own = await testStack(
    async () => {
      const dev1 = new DevContainer("dev1", {
        namespace: "team-a",
        image: "devcontainer:1",
        authorizedKeys: [key],
        hostKey: { seed: secrets.hostKeySeed },
        access: {
          frp: {
            external: {
              serverAddr: "frps.example.com",
              domain: "ssh.example.com",
              unverifiedTls: true,
            },
            address: "ssh.example.com",
            token: "the auth.token of that server, 32 long",
          },
        },
      });
      return { frpCommand: dev1.frpCommand };
    },
    { env: { KUBECONFIG: unreachableKubeconfig } },
  );
  await own.stack.preview({
    onEvent: ({ resourcePreEvent }) => {
      if (resourcePreEvent !== undefined) made.push(resourcePreEvent.metadata.urn.split("::").at(-1) ?? "");
    },
  });
  expect(made.filter((name) => name.includes("frp")).sort()).toEqual(["dev1-frp-token", "dev1-frpc"]);
  await own.removeState();
});
