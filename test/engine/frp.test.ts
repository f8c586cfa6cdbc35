/** FrpServer and a container behind it under the real engine, with no cluster. */
import { DevContainer, FrpServer } from "@drawbridge-iac/drawbridge";
import { expect, it } from "vitest";
import { testStack, unreachableKubeconfig } from "../support/engine/engine.ts";

const secrets = {
  frpSeed: "an-frp-seed-of-the-engine-test-0123456789",
  hostKeySeed: "a-host-key-seed-of-the-engine-test-0123456789",
};
const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5vTNGoYN8XmFyFTyyhbnu5zrBZKdHzrhXm7QGVaVJP alice";

it("reports every fault of a component at once, and registers nothing of it", async () => {
  const faulty = await testStack(
    async () => {
      new FrpServer("frp", {
        domain: "https://ssh.example.com",
        seed: "short",
        connectPort: 7000,
        authorizer: { image: "programs:latest" },
        egress: {} as never,
        loadBalancer: { preset: "generic" },
      });
    },
    { env: { KUBECONFIG: unreachableKubeconfig } },
  );
  const failure = await faulty.stack.preview().then(
    () => "no failure",
    (error: Error) => error.message,
  );
  expect(failure).toContain('FrpServer "frp": 5 faults in its arguments, nothing was created:');
  for (const path of ["authorizer.image", "connectPort", "domain", "egress.apiServer", "seed"]) {
    expect(failure).toContain(`  - ${path}: `);
  }
  await faulty.removeState();
});

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
            connectAddress: "ssh.example.com",
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

it("gives TLS to a gateway of the cluster, and then makes no LoadBalancer", async () => {
  const made: string[] = [];
  const own = await testStack(
    async () => {
      const frp = new FrpServer("frp", {
        domain: "ssh.example.com",
        seed: secrets.frpSeed,
        authorizer: { image: "programs:1" },
        egress: { apiServer: [] },
        connectTls: {
          dnsName: "frp.example.com",
          secretName: "frp-example-com",
          gateway: { namespace: "istio-ingress", selector: { istio: "ingressgateway" } },
        },
        loadBalancer: { preset: "generic" },
      });
      const dev1 = new DevContainer("dev1", {
        namespace: "team-a",
        image: "devcontainer:1",
        authorizedKeys: [key],
        hostKey: { seed: secrets.hostKeySeed },
        access: { frp: { server: frp.ref } },
      });
      return { frpCommand: dev1.frpCommand };
    },
    { env: { KUBECONFIG: unreachableKubeconfig } },
  );
  let printed = "";
  await own.stack.preview({
    onEvent: ({ resourcePreEvent }) => {
      const { type, urn } = resourcePreEvent?.metadata ?? {};
      if (urn?.includes("FrpServer$")) made.push(`${type} ${urn.split("::").at(-1)}`);
    },
    onOutput: (text) => {
      printed += text;
    },
  });
  expect(made.sort()).toEqual([
    "kubernetes:apps/v1:Deployment frp-server",
    "kubernetes:core/v1:ConfigMap frp-configuration",
    "kubernetes:core/v1:ConfigMap frp-units",
    "kubernetes:core/v1:Namespace frp-namespace",
    "kubernetes:core/v1:Secret frp-certificate",
    "kubernetes:core/v1:Secret frp-metrics",
    "kubernetes:core/v1:Service frp-service",
    "kubernetes:core/v1:ServiceAccount frp-service-account",
    "kubernetes:networking.istio.io/v1:Gateway frp-connect-gateway",
    "kubernetes:networking.istio.io/v1:VirtualService frp-connect-route",
    "kubernetes:networking.k8s.io/v1:NetworkPolicy frp-network",
  ]);
  expect(printed).toContain("proxytunnel -q -p frp.example.com:443 -E -d %h:%p");
  await own.removeState();
});
