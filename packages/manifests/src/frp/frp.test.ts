import { describe, expect, it } from "vitest";
import type { Manifest } from "../common/manifest.ts";
import { egressRules } from "../container/network-policy.ts";
import { statefulSet } from "../container/stateful-set.ts";
import { frpsDeployment } from "./deployment.ts";
import { containerPlan, seed, serverPlan, serverRef } from "./frp.fixture.ts";
import { frpSshCommand, frpWay } from "./frpc-client.ts";
import { frpGrant, frpGrantBinding, frpGrantRole } from "./frpc-grant.ts";
import type { FrpcPlan } from "./frpc-plan.ts";
import { frpcSecret } from "./frpc-secret.ts";
import { frpcToml } from "./frpc-toml.ts";
import { frpsToml } from "./frps-toml.ts";
import { connectTlsGateway } from "./istio-gateway.ts";
import { frpNetworkPolicy } from "./network-policy.ts";
import { certificateNames, type FrpServerConnectTls } from "./plan.ts";
import { frpServerRef } from "./ref.ts";
import { connectTlsRoute } from "./route.ts";
import { deriveFrpToken, deriveMetricsPassword, frpTokenHash } from "./secrets.ts";
import { frpsLoadBalancer, frpsService } from "./service.ts";
import { frpUnits } from "./units.ts";

interface PodSpec {
  readonly initContainers: readonly Record<string, unknown>[];
  readonly containers: readonly Record<string, unknown>[];
  readonly volumes: readonly Record<string, unknown>[];
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: Record<string, unknown>;
}
const podSpec = (manifest: Manifest) => (manifest.spec as { template: { spec: PodSpec } }).template.spec;

const plan = containerPlan();
const frpc = plan.frpc as FrpcPlan;

const balancer = (plan: ReturnType<typeof serverPlan>) =>
  frpsLoadBalancer(plan, plan.loadBalancer ?? expect.fail("no LoadBalancer"));

describe("secrets", () => {
  it("differ by container and by purpose, and are stable", () => {
    expect(deriveFrpToken(seed, "team-a/dev1")).toBe("AN336sJJg5hw7t_jdTISqPIxP-u2TMZg0KJ2tlOtawE");
    const all = [
      deriveFrpToken(seed, "team-a/dev1"),
      deriveFrpToken(seed, "team-a/dev2"),
      deriveFrpToken(`${seed}!`, "team-a/dev1"),
      deriveMetricsPassword(seed, "team-a/dev1"),
    ];
    expect(new Set(all).size).toBe(4);
  });

  it("are known to the cluster by their hash", () => {
    expect(frpTokenHash("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });
});

describe("frps", () => {
  it("forces TLS, asks the authorizer about everything and has no token for all", () => {
    const lines = frpsToml("password").split("\n");
    expect(lines).toContain("force = true");
    expect(lines).toContain('ops = ["Login", "NewProxy", "Ping", "NewUserConn"]');
    expect(lines).toContain('addr = "http://127.0.0.1:7501"');
    expect(lines.filter((line) => /^(auth|subDomainHost|allowPorts)/.test(line))).toEqual([]);
  });

  it("starts behind the authorizer, which alone can reach the Kubernetes API", () => {
    const spec = podSpec(frpsDeployment(serverPlan(), "hash"));
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(spec.initContainers.map(({ name, restartPolicy }) => [name, restartPolicy])).toEqual([
      ["authorizer", "Always"],
    ]);
    const mounts = [...spec.initContainers, ...spec.containers].map(({ name, volumeMounts }) => [
      name,
      (volumeMounts as { name: string }[]).map((mount) => mount.name),
    ]);
    expect(mounts).toEqual([
      ["authorizer", ["units", "api-access"]],
      ["frps", ["configuration", "certificate"]],
    ]);
  });

  it("has no secret in its pod's annotations", () => {
    const password = deriveMetricsPassword(seed, "frp/frp");
    expect(JSON.stringify(frpsDeployment(serverPlan(), "hash"))).not.toContain(password);
  });

  it("is one, and rolls by surge", () => {
    const { replicas, strategy } = frpsDeployment(serverPlan(), "hash").spec as Record<string, unknown>;
    expect([replicas, strategy]).toEqual([
      1,
      { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    ]);
  });

  it("is waited for unless told otherwise", () => {
    expect(frpsDeployment(serverPlan(), "hash").metadata.annotations).toBe(undefined);
    expect(frpsDeployment(serverPlan({ wait: false }), "hash").metadata.annotations).toEqual({
      "pulumi.com/skipAwait": "true",
    });
  });

  const ports = (manifest: Manifest) =>
    (manifest.spec as { ports: { port: number; targetPort: number }[] }).ports.map((port) => [
      port.port,
      port.targetPort,
    ]);

  it("is reached on the ports of the arguments, by ssh clients on one of them only", () => {
    const custom = serverPlan({ serverPort: 443, connectPort: 80 });
    expect(ports(frpsService(custom))).toEqual([
      [443, 7000],
      [80, 1337],
      [7500, 7500],
      [7502, 7502],
    ]);
    expect(ports(balancer(custom))).toEqual([[80, 1337]]);
    const exposed = serverPlan({ exposeServerPort: true });
    expect(ports(balancer(exposed))).toEqual([
      [1337, 1337],
      [7000, 7000],
    ]);
  });

  it("lets containers register, everybody connect, and only named namespaces read metrics", () => {
    const ingress = (args: Record<string, unknown>) =>
      (frpNetworkPolicy(serverPlan(args)).spec as { ingress: Record<string, unknown>[] }).ingress;
    const containers = {
      namespaceSelector: {},
      podSelector: { matchLabels: { "app.kubernetes.io/component": "dev-container" } },
    };
    expect(ingress({})).toEqual([
      { ports: [{ port: 1337, protocol: "TCP" }] },
      { from: [containers], ports: [{ port: 7000, protocol: "TCP" }] },
    ]);
    expect(ingress({ exposeServerPort: true })[1]).toEqual({ ports: [{ port: 7000, protocol: "TCP" }] });
    expect(ingress({ metricsNamespaces: ["monitoring"] })[2]).toEqual({
      from: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "monitoring" } } }],
      ports: [
        { port: 7500, protocol: "TCP" },
        { port: 7502, protocol: "TCP" },
      ],
    });
  });

  const connectTls = {
    host: "frp.example.com",
    secretName: "frp-example-com",
    gateway: { namespace: "istio-ingress", selector: { istio: "ingressgateway" } },
  };

  it("is led to by a gateway's TLS listener, and then by that alone", () => {
    const secured = serverPlan({ connectTls });
    const settled = secured.connectTls as FrpServerConnectTls;
    expect(connectTlsGateway(secured, settled)).toMatchObject({
      metadata: { name: "frp-connect", namespace: "istio-ingress" },
      spec: {
        selector: { istio: "ingressgateway" },
        servers: [
          {
            port: { number: 443, name: "tls-frp-connect", protocol: "TLS" },
            hosts: ["frp/frp.example.com"],
            tls: { mode: "SIMPLE", credentialName: "frp-example-com", minProtocolVersion: "TLSV1_2" },
          },
        ],
      },
    });
    expect(connectTlsRoute(secured, settled).spec).toEqual({
      hosts: ["frp.example.com"],
      gateways: ["istio-ingress/frp-connect"],
      exportTo: ["istio-ingress"],
      tcp: [
        {
          match: [{ port: 443 }],
          route: [{ destination: { host: "frp.frp.svc.cluster.local", port: { number: 1337 } } }],
        },
      ],
    });
    expect(ports(balancer(serverPlan({ connectTls, exposeServerPort: true })))).toEqual([[7000, 7000]]);
    const { ingress } = frpNetworkPolicy(secured).spec as { ingress: unknown[] };
    expect(ingress[0]).toEqual({
      from: [
        {
          namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "istio-ingress" } },
          podSelector: { matchLabels: { istio: "ingressgateway" } },
        },
      ],
      ports: [{ port: 1337, protocol: "TCP" }],
    });
  });

  it("tells containers of its TLS, whose clients then speak it", () => {
    const ref = frpServerRef(serverPlan({ connectTls }), "frp.example.com", serverRef.caBundle);
    const container = containerPlan({ ...ref });
    const own = container.frpc as FrpcPlan;
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

  it("tells the authorizer of the units it was given", () => {
    const units = [{ namespace: "team-a", name: "dev1", domains: ["box.ssh.example.com"], revoked: true }];
    const { data } = frpUnits(serverPlan({ units })) as unknown as { data: Record<string, string> };
    expect(JSON.parse(data["units.json"] ?? "")).toEqual({
      domainSuffix: "ssh.example.com",
      units: { "team-a/dev1": { domains: ["box.ssh.example.com"], revoked: true } },
    });
  });

  it("hands containers a ref that their schema takes as it is", () => {
    const ref = frpServerRef(serverPlan(), "192.0.2.7", serverRef.caBundle);
    expect(containerPlan({ ...ref }).frpc).toEqual(frpc);
    expect(certificateNames(serverPlan())[0]).toBe(ref.serverAddr);
  });
});

describe("frpc", () => {
  it("proves itself to the authorizer by a token of its own, and checks frps", () => {
    const toml = frpcToml(frpc, 'a "token"\\', 2222);
    const said = toml
      .split("\n")
      .filter((line) => /^(user|meta|auth|trusted|serverName|custom|localPort)/.test(line));
    expect(said).toEqual([
      'user = "team-a.dev1"',
      'metadatas.token = "a \\"token\\"\\\\"',
      'trustedCaFile = "/etc/drawbridge/frpc/ca.crt"',
      'serverName = "frp.frp.svc.cluster.local"',
      'customDomains = ["dev1.team-a.ssh.example.com"]',
      "localPort = 2222",
    ]);
  });

  it("gives an frps elsewhere its auth.token", () => {
    const external = { ...serverRef, authorizer: undefined, token: "x".repeat(32), caBundle: undefined };
    const own = containerPlan({ ...external, unverifiedTls: true }).frpc as FrpcPlan;
    const toml = frpcToml(own, "x".repeat(32), 22);
    expect(toml.split("\n")).toContain(`auth.token = "${"x".repeat(32)}"`);
    expect(toml).not.toMatch(/metadatas|trustedCaFile|serverName/);
    expect(frpcSecret(plan, own, toml).stringData).toEqual({ "frpc.toml": toml });
  });

  it("stands behind sshd in the pod, with the token mounted for it alone", () => {
    const sidecar = containerPlan(serverRef, { ssh: { mode: "sidecar", image: "devcontainer:1" } });
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
    const spec = podSpec(statefulSet(containerPlan(serverRef, { ssh: { port: 2222 } })));
    const script = (spec.initContainers[0] as { command: string[] }).command[2] ?? "";
    expect(script.split("\n")[1]).toBe(
      "until grep -qs ':08AE [0-9A-F]*:0000 0A ' /proc/net/tcp /proc/net/tcp6; do sleep 0.2; done",
    );
  });

  it("is allowed out to the server's pods, and only for a FrpServer", () => {
    expect(egressRules(plan).slice(2)).toEqual([
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
    const external = { ...serverRef, authorizer: undefined, token: "x".repeat(32) };
    expect(egressRules(containerPlan(external)).length).toBe(2);
  });
});

describe("a grant", () => {
  it("states a hash and a name, readable by the one authorizer and by name only", () => {
    const named = containerPlan({ ...serverRef, clientDomain: "box.team-a.ssh.example.com" });
    const own = named.frpc as FrpcPlan;
    expect(frpGrant(named, own, "00ff").data).toEqual({
      tokenSha256: "00ff",
      clientDomain: "box.team-a.ssh.example.com",
    });
    expect(frpGrantRole(plan, frpc).rules).toEqual([
      { apiGroups: [""], resources: ["configmaps"], resourceNames: ["frp-grant.dev1"], verbs: ["get"] },
    ]);
    const binding = frpGrantBinding(plan, frpc, { namespace: "frp", serviceAccountName: "frp" });
    expect(binding.subjects).toEqual([{ kind: "ServiceAccount", name: "frp", namespace: "frp" }]);
  });
});

describe("the published command", () => {
  it("is the seed's, with strict host checking", () => {
    expect(frpSshCommand(plan, frpc, "ssh.example.com")).toBe(
      "ssh -o StrictHostKeyChecking=yes -o ProxyCommand='nc -X connect -x ssh.example.com:1337 %h %p' jovyan@dev1.team-a.ssh.example.com",
    );
  });

  it("names another port and brackets an IPv6 address", () => {
    const other = containerPlan(serverRef, { ssh: { port: 2222 } });
    expect(frpSshCommand(other, other.frpc as FrpcPlan, "2001:db8::7")).toContain(
      "-x [2001:db8::7]:1337 %h %p' -p 2222 jovyan@",
    );
  });
});
