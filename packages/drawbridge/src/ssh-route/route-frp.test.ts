/** A route's way in through frp: frpc in a pod of its own. */
import { describe, expect, it } from "vitest";
import { aliceKey, gateway } from "../dev-container/plan.fixture.ts";
import { serverRef } from "../frp-server/frp.fixture.ts";
import { parseArgs } from "../kit/args-error.ts";
import type { Manifest } from "../kubernetes/manifest.ts";
import { dnsEgress } from "../kubernetes/network-policy.ts";
import { type SshRouteInput, sshRouteSchema } from "./args.ts";
import { sshRouteObjects } from "./objects.ts";
import { planSshRoute } from "./plan.ts";

const token = "a route's own token, which is long enough";
const frp = { server: serverRef, token, image: "frpc:v0.71.0" };
const required = {
  namespace: "team-a",
  serviceName: "legacy-box",
  userName: "ubuntu",
  hostPublicKeys: [aliceKey],
  access: { frp },
} satisfies SshRouteInput;

const planOf = (args: Partial<SshRouteInput> = {}) =>
  planSshRoute("box", parseArgs("SshRoute", "box", sshRouteSchema, { ...required, ...args }));
const objectsOf = (args?: Partial<SshRouteInput>, tokenSha256 = "00ff") =>
  sshRouteObjects(planOf(args), { token, tokenSha256 });
type Named = Record<
  string,
  { readonly manifest: Manifest<"Deployment">; readonly after?: readonly string[] } | undefined
>;
const objectOf = (key: string, args?: Partial<SshRouteInput>) =>
  (objectsOf(args) as unknown as Named)[key]?.manifest as unknown;

const selector = { "app.kubernetes.io/component": "ssh-route", "app.kubernetes.io/instance": "box" };
const tcp = (port: number) => [{ port, protocol: "TCP" }];

describe("frpc before a Service", () => {
  it("comes last, after all that it needs, and there is nothing of the gateway's", () => {
    const made = Object.entries(objectsOf() as unknown as Named).filter(([, object]) => object !== undefined);
    expect(
      made.map(([key, object]) => `${key}: ${object?.manifest.kind} ${object?.manifest.metadata.name}`),
    ).toEqual([
      "frpc: ConfigMap box-frpc",
      "frp-token: Secret box-frp-token",
      "frp-grant: ConfigMap frp-grant.box",
      "frp-grant-role: Role frp-grant.box",
      "frp-grant-binding: RoleBinding frp-grant.box",
      "frpc-network: NetworkPolicy box-frpc",
      "frpc-workload: Deployment box-frpc",
    ]);
    expect(made.at(-1)?.[1]?.after).toEqual(made.slice(0, -1).map(([key]) => key));
  });

  it("is not made without its token", () => {
    const made = Object.values(sshRouteObjects(planOf())).filter((object) => object !== undefined);
    expect(made).toEqual([]);
  });

  it("registers the host's name, and leads to the Service at its port", () => {
    const data = objectOf("frpc", { port: 2222 }) as Manifest<"ConfigMap">;
    const toml = String((data.data as Record<string, string>)["frpc.toml"]);
    expect(toml.split("\n").filter((line) => /^(user|meta|custom|local)/.test(line))).toEqual([
      'user = "team-a.box"',
      'metadatas.token = {{ printf "%q" .Envs.DRAWBRIDGE_FRP_TOKEN }}',
      'customDomains = ["box.team-a.ssh.example.com"]',
      'localIP = "legacy-box.team-a.svc.cluster.local"',
      "localPort = 2222",
    ]);
    expect(planOf().knownNames).toEqual(["box.team-a.ssh.example.com", "box.team-a.svc.cluster.local"]);
    expect(planOf({ access: { gateway, frp } }).knownNames).toEqual([
      "box.team-a.dev.example.com",
      "box.team-a.svc.cluster.local",
      "box.team-a.ssh.example.com",
    ]);
  });

  it("is one pod, within restricted and without a token of the Kubernetes API, and never two at once", () => {
    const { spec } = objectOf("frpc-workload", { podLabels: { app: "box" } }) as {
      spec: { template: { spec: { containers: { command: string[] }[] } } };
    };
    expect(spec).toEqual({
      replicas: 1,
      selector: { matchLabels: selector },
      strategy: { type: "Recreate" },
      template: {
        metadata: {
          // None of the workload's, by which its Service would lead to frpc.
          labels: {
            ...selector,
            "app.kubernetes.io/name": "ssh-route",
            "app.kubernetes.io/managed-by": "drawbridge",
            "app.kubernetes.io/part-of": "drawbridge",
          },
          annotations: { "drawbridge.dev/frpc": expect.stringMatching(/^[0-9a-f]{12}$/) },
        },
        spec: {
          automountServiceAccountToken: false,
          enableServiceLinks: false,
          terminationGracePeriodSeconds: 5,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 65532,
            runAsGroup: 65532,
            fsGroup: 65532,
            fsGroupChangePolicy: "OnRootMismatch",
            seccompProfile: { type: "RuntimeDefault" },
          },
          containers: [
            {
              name: "frpc",
              image: "frpc:v0.71.0",
              imagePullPolicy: "IfNotPresent",
              command: ["/bin/sh", "-c", expect.any(String)],
              resources: { requests: { cpu: "10m", memory: "32Mi" }, limits: { memory: "128Mi" } },
              securityContext: {
                allowPrivilegeEscalation: false,
                capabilities: { drop: ["ALL"] },
                readOnlyRootFilesystem: true,
              },
              volumeMounts: [
                { name: "frpc", mountPath: "/etc/drawbridge/frpc", readOnly: true },
                { name: "frpc-run", mountPath: "/run/frpc" },
              ],
            },
          ],
          volumes: [
            {
              name: "frpc",
              projected: {
                defaultMode: 0o440,
                sources: [{ configMap: { name: "box-frpc" } }, { secret: { name: "box-frp-token" } }],
              },
            },
            { name: "frpc-run", emptyDir: { medium: "Memory", sizeLimit: "1Mi" } },
          ],
        },
      },
    });
    // There is no sshd in the pod to wait for.
    expect(spec.template.spec.containers[0]?.command[2]).not.toContain("/proc/net/tcp");
  });

  it("gets another pod for whatever it is given, and for nothing that clients alone are told", () => {
    const marked = (args?: Partial<SshRouteInput>, sha?: string) => {
      const workload = objectsOf(args, sha)["frpc-workload"] as never as {
        manifest: { spec: { template: { metadata: { annotations: Record<string, string> } } } };
      };
      return workload.manifest.spec.template.metadata.annotations["drawbridge.dev/frpc"];
    };
    const given = [
      marked(),
      marked({ serviceName: "other-box" }),
      marked({ port: 2222 }),
      marked({ access: { frp: { ...frp, customDomain: "b.team-a.ssh.example.com" } } }),
      marked({ access: { frp: { ...frp, server: { ...serverRef, serverPort: 7001 } } } }),
      marked({}, "another token's"),
    ];
    expect(new Set(given).size).toBe(given.length);
    expect(marked({ access: { gateway, frp: { ...frp, address: "192.0.2.8" } }, homePath: "/srv" })).toBe(
      given[0],
    );
  });
});

describe("the NetworkPolicies", () => {
  const egress = (args?: Partial<SshRouteInput>) => {
    const { spec } = objectOf("frpc-network", args) as {
      spec: { egress: object[] } & Record<string, unknown>;
    };
    const { egress, ...rest } = spec;
    expect(rest).toEqual({ podSelector: { matchLabels: selector }, policyTypes: ["Ingress", "Egress"] });
    expect(egress[0]).toEqual(dnsEgress([]));
    expect((egress[0] as { to: object[] }).to).toHaveLength(2);
    return egress.slice(1);
  };
  const frps = {
    to: [
      {
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "frp" } },
        podSelector: {
          matchLabels: { "app.kubernetes.io/component": "frp-server", "app.kubernetes.io/instance": "frp" },
        },
      },
    ],
    ports: tcp(7000),
  };

  it("let frpc out to frps and to the Service's pods at their own port, and nobody in", () => {
    expect(egress({ podLabels: { app: "box" }, targetPort: 2022 })).toEqual([
      frps,
      { to: [{ podSelector: { matchLabels: { app: "box" } } }], ports: tcp(2022) },
    ]);
    expect(egress()).toEqual([
      frps,
      {
        to: [{ namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "team-a" } } }],
        ports: tcp(22),
      },
    ]);
  });

  it("let it out to the internet for an frps elsewhere, at its port, and to no private network", () => {
    const { authorizer: _, address, ...names } = serverRef;
    const external = { ...names, serverPort: 7001 };
    const [internet] = egress({ access: { frp: { external, address, token } } });
    expect(internet).toEqual({
      to: [
        { ipBlock: { cidr: "0.0.0.0/0", except: expect.arrayContaining(["10.0.0.0/8"]) } },
        { ipBlock: { cidr: "::/0", except: expect.arrayContaining(["fc00::/7"]) } },
      ],
      ports: tcp(7001),
    });
  });

  const ingress = (args: Partial<SshRouteInput>) => {
    const policy = objectOf("network", { podLabels: { app: "box" }, ...args }) as {
      spec: { policyTypes: string[]; ingress: { from?: object[]; ports: object[] }[] };
    };
    expect(policy.spec.policyTypes).toEqual(["Ingress"]);
    return policy.spec.ingress;
  };
  const fromFrpc = { podSelector: { matchLabels: selector } };

  it("let frpc in to the workload beside the gateway, or alone", () => {
    expect(ingress({ networkPolicy: "allow-gateway" })).toEqual([{ from: [fromFrpc], ports: tcp(22) }]);
    const [both] = ingress({ networkPolicy: "only-gateway", access: { gateway, frp } });
    expect(both).toEqual({
      from: [
        expect.objectContaining({
          namespaceSelector: {
            matchLabels: { "kubernetes.io/metadata.name": "ssh-ingress" },
          },
        }),
        fromFrpc,
      ],
      ports: tcp(22),
    });
    const closed = ingress({
      networkPolicy: "allow-gateway",
      access: { gateway, frp: { ...frp, enabled: false } },
    });
    expect(closed[0]?.from).toHaveLength(1);
  });
});
