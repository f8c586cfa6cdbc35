import { describe, expect, it } from "vitest";
import type { Manifest } from "../common/manifest.ts";
import { serverPlan, serverRef } from "../frp/frp.fixture.ts";
import { certificateNames } from "../frp/plan.ts";
import { frpServerRef } from "../frp/ref.ts";
import { frpSshCommand, frpWay } from "../frpc/client.ts";
import { frpcConfigMap, frpcSecret } from "../frpc/files.ts";
import type { KnownFrpcPlan } from "../frpc/plan.ts";
import { frpcToml } from "../frpc/toml.ts";
import { containerPlan } from "./frpc.fixture.ts";
import { egressRules } from "./network-policy.ts";
import { statefulSet } from "./stateful-set.ts";

interface PodSpec {
  readonly initContainers: readonly Record<string, unknown>[];
  readonly containers: readonly Record<string, unknown>[];
}
const podSpec = (manifest: Manifest<"StatefulSet">) =>
  (manifest.spec as unknown as { template: { spec: PodSpec } }).template.spec;

const plan = containerPlan();
const frpc = plan.frpc as KnownFrpcPlan;

describe("a FrpServer's ref", () => {
  const connectTls = {
    dnsName: "frp.example.com",
    secretName: "frp-example-com",
    gateway: { namespace: "istio-ingress", selector: { istio: "ingressgateway" } },
  };

  it("hands containers a ref that their schema takes as it is", () => {
    const ref = frpServerRef(serverPlan(), serverRef.caBundle);
    expect(containerPlan({ server: ref, connectAddress: "192.0.2.7" }).frpc).toEqual(frpc);
    expect(certificateNames(serverPlan())[0]).toBe(ref.serverAddr);
  });

  it("is read as version 1 gave it out, whose fields had other names", () => {
    const { domain, connectAddress, ...same } = serverRef;
    const server = { ...same, version: 1, domainSuffix: domain, connectHost: connectAddress };
    expect(containerPlan({ server }).frpc).toEqual(frpc);
  });

  it("tells containers of its TLS, whose clients then speak it", () => {
    const container = containerPlan({ server: frpServerRef(serverPlan({ connectTls }), serverRef.caBundle) });
    const own = container.frpc as KnownFrpcPlan;
    expect(frpWay(own, "frp.example.com")).toEqual({
      way: "frp",
      address: "frp.example.com",
      port: 443,
      hostName: "dev1.team-a.ssh.example.com",
      tls: true,
    });
    expect(frpWay(frpc, "192.0.2.7")).toEqual({
      way: "frp",
      address: "192.0.2.7",
      port: 1337,
      hostName: "dev1.team-a.ssh.example.com",
    });
    expect(frpSshCommand(container, own, "frp.example.com")).toBe(
      "ssh -o StrictHostKeyChecking=yes -o ProxyCommand='proxytunnel -q -p frp.example.com:443 -E -d %h:%p' jovyan@dev1.team-a.ssh.example.com",
    );
  });
});

describe("frpc", () => {
  it("gives an frps elsewhere its auth.token", () => {
    const { serverAddr, domain, connectAddress } = serverRef;
    const external = { serverAddr, domain, unverifiedTls: true };
    const own = containerPlan({ external, connectAddress, token: "x".repeat(32) }).frpc as KnownFrpcPlan;
    const toml = frpcToml(own, 22);
    expect(toml.split("\n")).toContain('auth.token = {{ printf "%q" .Envs.DRAWBRIDGE_FRP_TOKEN }}');
    expect(toml).not.toMatch(/metadatas|trustedCaFile|serverName/);
    expect(frpcConfigMap(plan, own).data).toEqual({ "frpc.toml": toml });
  });

  it("has what it does in the open, and in its Secret the token alone", () => {
    const { caBundle } = serverRef;
    const [map, secret] = [frpcConfigMap(plan, frpc), frpcSecret(plan, frpc, "token")];
    expect([map.kind, map.metadata.name, map.data]).toEqual([
      "ConfigMap",
      "dev1-frpc",
      { "frpc.toml": frpcToml(frpc, plan.ssh.port), "ca.crt": caBundle },
    ]);
    expect([secret.kind, secret.metadata.name, secret.data]).toEqual([
      "Secret",
      "dev1-frp-token",
      { token: btoa("token") },
    ]);
  });

  it("stands behind sshd in the pod, with the token mounted for it alone", () => {
    const sidecar = containerPlan(undefined, { ssh: { mode: "sidecar", image: "devcontainer:1" } });
    const spec = podSpec(statefulSet(sidecar));
    expect(spec.initContainers.map(({ name, restartPolicy }) => [name, restartPolicy])).toEqual([
      ["sshd", "Always"],
      ["frpc", "Always"],
    ]);
    expect(spec.containers.map(({ name }) => name)).toEqual(["dev"]);
    const holders = [...spec.initContainers, ...spec.containers].filter(({ volumeMounts }) =>
      (volumeMounts as { name: string }[]).some(({ name }) => name === "frpc"),
    );
    expect(holders.map(({ name }) => name)).toEqual(["frpc"]);
  });

  it("waits for sshd's port without connecting to it", () => {
    const spec = podSpec(statefulSet(containerPlan(undefined, { ssh: { port: 2222 } })));
    const script = (spec.initContainers[0] as { command: string[] }).command[2] ?? "";
    // 08AE is 2222; in state 0A a socket listens.
    expect(script.split("\n")[1]).toBe(
      "until grep -qs ':08AE [0-9A-F]*:0000 0A ' /proc/net/tcp /proc/net/tcp6; do sleep 0.2; done",
    );
  });

  it("is allowed out to the server's pods, and only for a FrpServer", () => {
    expect((egressRules(plan) as object[]).slice(2)).toEqual([
      {
        to: [
          {
            namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "frp" } },
            podSelector: {
              matchLabels: {
                "app.kubernetes.io/component": "frp-server",
                "app.kubernetes.io/instance": "frp",
              },
            },
          },
        ],
        ports: [{ port: 7000, protocol: "TCP" }],
      },
    ]);
    const { authorizer: _, connectAddress, ...external } = serverRef;
    const elsewhere = containerPlan({ external, connectAddress, token: "x".repeat(32) });
    expect((egressRules(elsewhere) as object[]).length).toBe(2);
  });
});

describe("the published command", () => {
  it("goes through nc, with strict host checking", () => {
    expect(frpSshCommand(plan, frpc, "ssh.example.com")).toBe(
      "ssh -o StrictHostKeyChecking=yes -o ProxyCommand='nc -X connect -x ssh.example.com:1337 %h %p' jovyan@dev1.team-a.ssh.example.com",
    );
  });

  it("names another port and brackets an IPv6 address", () => {
    const other = containerPlan(undefined, { ssh: { port: 2222 } });
    expect(frpSshCommand(other, other.frpc as KnownFrpcPlan, "2001:db8::7")).toContain(
      "-x [2001:db8::7]:1337 %h %p' -p 2222 jovyan@",
    );
  });
});
