import { expect, it } from "vitest";
import { change } from "../sample.ts";
import { accessWidened } from "./access-widened.ts";

const check = (kind: string, before: object, after: object) =>
  accessWidened.check(change(kind, "x", { before: before as never, after: after as never }));

const ranges = (...loadBalancerSourceRanges: string[]) => ({ spec: { loadBalancerSourceRanges } });
const annotated = (annotations: Record<string, string>) => ({ metadata: { annotations } });
const peers = (...from: object[]) => ({ spec: { ingress: [{ from }] } });

it("refuses wider source ranges and lets them shrink", () => {
  expect(check("Service", ranges("10.0.0.0/8"), ranges("10.0.0.0/8", "192.0.2.0/24"))).toEqual([
    "x would accept clients from 192.0.2.0/24 too",
  ]);
  expect(check("Service", ranges("10.0.0.0/8"), ranges())).toEqual([
    "x would accept clients from any network",
  ]);
  expect(check("Service", ranges("10.0.0.0/8", "192.0.2.0/24"), ranges("10.0.0.0/8"))).toEqual([]);
  expect(check("Service", ranges(), ranges("10.0.0.0/8"))).toEqual([]);
});

it("refuses a LoadBalancer that becomes public, not one that becomes internal", () => {
  const scheme = "service.beta.kubernetes.io/aws-load-balancer-scheme";
  const internal = annotated({ [scheme]: "internal" });
  const open = annotated({ [scheme]: "internet-facing" });
  expect(check("Service", internal, open)).toEqual([
    "the LoadBalancer x would be reachable from the internet",
  ]);
  expect(check("Service", open, internal)).toEqual([]);
});

it("refuses new peers, new ports of old ones, and rules without peers", () => {
  const gateway = { podSelector: { matchLabels: { app: "gateway" } } };
  const other = { podSelector: {} };
  const to = (port: number) => ({ spec: { ingress: [{ from: [gateway], ports: [{ port }] }] } });
  expect(check("NetworkPolicy", peers(gateway), peers(gateway, other))).toEqual([
    'x would let {"podSelector":{}} in to all ports',
  ]);
  expect(check("NetworkPolicy", to(22), to(80))).toEqual([
    'x would let {"podSelector":{"matchLabels":{"app":"gateway"}}} in to port 80',
  ]);
  expect(check("NetworkPolicy", peers(gateway), { spec: { ingress: [{}] } })).toEqual([
    "x would let every pod in to all ports",
  ]);
  expect(check("NetworkPolicy", peers(gateway, other), peers(gateway))).toEqual([]);
  expect(check("NetworkPolicy", peers(gateway), to(22))).toEqual([]);
});

it("refuses new identities and new subjects", () => {
  const policy = (...principals: string[]) => ({ spec: { rules: [{ from: [{ source: { principals } }] }] } });
  expect(check("AuthorizationPolicy", policy("a"), policy("a", "b"))).toEqual(["x would let in b"]);
  const binding = (...names: string[]) => ({ subjects: names.map((name) => ({ kind: "Group", name })) });
  expect(check("RoleBinding", binding("dev"), binding("dev", "all"))).toEqual(["x would give rights to all"]);
  expect(check("RoleBinding", binding("dev", "all"), binding("dev"))).toEqual([]);
});

it("refuses people's rights on something that was there without them", () => {
  const made = (kind: string, isOwnerNew: boolean) =>
    accessWidened.check(
      change("RoleBinding", "x", {
        op: "create",
        isOwnerNew,
        before: undefined,
        after: { subjects: [{ kind, name: "dev" }] },
      }),
    );
  expect(made("Group", false)).toEqual(["x would give rights to dev"]);
  expect(made("User", false)).toEqual(["x would give rights to dev"]);
  // A container's way in through frp has rights for a program.
  expect(made("ServiceAccount", false)).toEqual([]);
  expect(made("Group", true)).toEqual([]);
  expect(accessWidened.check(change("Service", "x", { op: "create" }))).toEqual([]);
});
