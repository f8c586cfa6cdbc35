import { describe, expect, it } from "vitest";
import { deriveFrpToken, frpTokenHash } from "../host/frpc/token.ts";
import { frpListener, frpRoute } from "../istio/frp.ts";
import type { Manifest } from "../kubernetes/manifest.ts";
import { frpUnits, unitsFile } from "./configuration.ts";
import { frpsDeployment } from "./deployment.ts";
import { seed, serverPlan } from "./frp.fixture.ts";
import { frpNetworkPolicy, frpsLoadBalancer, frpsService } from "./network.ts";
import type { FrpServerConnectTls } from "./plan.ts";
import { deriveMetricsPassword } from "./secrets.ts";

interface PodSpec {
  readonly initContainers: readonly Record<string, unknown>[];
  readonly containers: readonly Record<string, unknown>[];
  readonly volumes: readonly Record<string, unknown>[];
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: Record<string, unknown>;
}
const podSpec = (manifest: Manifest<"Deployment">) =>
  (manifest.spec as unknown as { template: { spec: PodSpec } }).template.spec;

const balancer = (plan: ReturnType<typeof serverPlan>) =>
  frpsLoadBalancer(plan, plan.loadBalancer ?? expect.fail("no LoadBalancer"));

const connectTls = {
  dnsName: "frp.example.com",
  secretName: "frp-example-com",
  gateway: { namespace: "istio-ingress", selector: { istio: "ingressgateway" } },
};

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
  it("starts behind the authorizer, which alone can reach the Kubernetes API", () => {
    const spec = podSpec(frpsDeployment(serverPlan(), "hash"));
    expect(spec.automountServiceAccountToken).toBe(false);
    expect(spec.initContainers.map(({ name, restartPolicy }) => [name, restartPolicy])).toEqual([
      ["authorizer", "Always"],
    ]);
    const mounts = [...spec.initContainers, ...spec.containers].map(({ name, volumeMounts }) => [
      name,
      (volumeMounts as { name: string; mountPath: string }[]).map((mount) => [mount.name, mount.mountPath]),
    ]);
    const authorizer = "/etc/drawbridge/frp-authorizer";
    expect(mounts).toEqual([
      [
        "authorizer",
        [
          ["units", authorizer],
          ["api-access", "/var/run/secrets/kubernetes.io/serviceaccount"],
        ],
      ],
      [
        "frps",
        [
          ["configuration", "/etc/drawbridge/frps"],
          ["certificate", "/etc/drawbridge/frps-tls"],
        ],
      ],
    ]);
    expect(spec.initContainers[0]?.args).toContain(`--units=${authorizer}/units.json`);
  });

  it("has no secret in its pod's annotations", () => {
    const password = deriveMetricsPassword(seed, "frp/frp");
    expect(JSON.stringify(frpsDeployment(serverPlan(), "hash"))).not.toContain(password);
  });

  it("is one, and rolls by surge", () => {
    const { replicas, strategy } = frpsDeployment(serverPlan(), "hash").spec as unknown as Record<
      string,
      unknown
    >;
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

  const ports = (manifest: Manifest<"Service">) =>
    (manifest.spec as unknown as { ports: { port: number; targetPort: number }[] }).ports.map((port) => [
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

  it("is led to by a gateway's TLS listener, and then by that alone", () => {
    const secured = serverPlan({ connectTls });
    const settled = secured.connectTls as FrpServerConnectTls;
    expect(frpListener(secured, settled)).toMatchObject({
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
    expect(frpRoute(secured, settled).spec).toEqual({
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
    const { ingress } = frpNetworkPolicy(secured).spec as unknown as { ingress: unknown[] };
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

  const unitsOf = (args: Record<string, unknown>) => {
    const { data } = frpUnits(serverPlan(args)) as unknown as { data: Record<string, string> };
    return JSON.parse(data[unitsFile] ?? "");
  };

  it("tells the authorizer of the units it was given", () => {
    const units = [{ namespace: "team-a", name: "dev1", domains: ["box.ssh.example.com"], revoked: true }];
    expect(unitsOf({ containers: units })).toEqual({
      domainSuffix: "ssh.example.com",
      units: { "team-a/dev1": { domains: ["box.ssh.example.com"], revoked: true } },
    });
  });

  it("reaches the API server at the address given, and nothing else", () => {
    const policy = (args: Record<string, unknown>) =>
      frpNetworkPolicy(serverPlan(args)).spec as unknown as { policyTypes: string[]; egress: unknown[] };
    const tcp = (ports: number[]) => ports.map((port) => ({ port, protocol: "TCP" }));
    const to = (cidr: string, ports = [443, 6443]) => ({ to: [{ ipBlock: { cidr } }], ports: tcp(ports) });
    expect(policy({}).policyTypes).toEqual(["Ingress", "Egress"]);
    expect(policy({}).egress).toEqual([to("192.0.2.10/32")]);
    const apiServer = [{ cidr: "192.0.2.10/32" }, { cidr: "2001:db8::/64", ports: [16443] }];
    expect(policy({ egress: { apiServer } }).egress).toEqual([
      to("192.0.2.10/32"),
      to("2001:db8::/64", [16443]),
    ]);
    expect(policy({ egress: { apiServer: [] } }).egress).toBeUndefined();
  });

  it("tells the authorizer other limits, and none for clients whose addresses a gateway hides", () => {
    const limits = (args: Record<string, unknown>) => unitsOf(args).limits;
    expect(limits({})).toBe(undefined);
    const perClient = { connectionsPerMinute: 60, burst: 20 };
    expect(limits({ connectionLimits: { perClient } })).toEqual({
      perClient,
      perClientAndContainer: { connectionsPerMinute: 30, burst: 4 },
    });
    expect(limits({ connectTls })).toEqual({ perClient: null, perClientAndContainer: null });
  });
});
