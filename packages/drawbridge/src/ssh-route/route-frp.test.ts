/** A route's way in through frp: frpc in a pod of its own. */
import { describe, expect, it } from "vitest";
import { aliceKey, gateway } from "../dev-container/plan.fixture.ts";
import { serverRef } from "../frp-server/frp.fixture.ts";
import { parseArgs } from "../kit/args-error.ts";
import type { Manifest } from "../kubernetes/manifest.ts";
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
          namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "ssh-ingress" } },
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
