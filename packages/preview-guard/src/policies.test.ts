/** Random sequences of edits to a team: whatever crosses a wall is stopped, whatever does not passes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judge } from "./guard.ts";
import type { Change } from "./preview.ts";
import { change, whole } from "./sample.ts";

const today = new Date("2026-06-15T12:00:00Z");
const runs = { numRuns: 500 };

/** What a team has: lists to which edits add, or from which they take. */
interface Team {
  readonly ingress: readonly object[];
  readonly egress: readonly object[];
  readonly rules: readonly object[];
  readonly subjects: readonly object[];
  readonly keys: readonly string[];
  readonly authorities: readonly string[];
  readonly identities: readonly string[];
  readonly demandsCertificate: boolean;
  readonly hosts: readonly string[];
  readonly ranges: readonly string[];
  readonly powers: object;
  readonly container: object;
  readonly labels: Readonly<Record<string, string>>;
  readonly conditions: readonly string[];
  readonly writers: readonly string[];
  readonly readers: readonly string[];
}

const own = { "app.kubernetes.io/component": "dev-container", "app.kubernetes.io/instance": "dev1" };
const named = (name: string) => ({ matchLabels: { "kubernetes.io/metadata.name": name } });
/** Keys of the right form whose bytes are a number. */
const key = (number: number) => {
  const length = (size: number) => Buffer.from([0, 0, 0, size]);
  const body = Buffer.alloc(32, 0);
  body.writeUInt32BE(number);
  const type = "ssh-ed25519";
  return `${type} ${Buffer.concat([length(type.length), Buffer.from(type), length(32), body]).toString("base64")} someone`;
};

const first: Team = {
  ingress: [
    {
      from: [
        {
          namespaceSelector: named("gw"),
          podSelector: { matchLabels: { "app.kubernetes.io/component": "ssh-gateway" } },
        },
      ],
      ports: [{ port: 22 }],
    },
  ],
  egress: [{ to: [{ ipBlock: { cidr: "203.0.113.0/24" } }] }],
  rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
  subjects: [{ kind: "User", name: "alice" }],
  keys: [key(1)],
  authorities: [key(2)],
  identities: ["spiffe://example.com/user/alice"],
  demandsCertificate: true,
  hosts: ["dev1.team-a.dev.example.com"],
  ranges: ["192.0.2.0/24"],
  powers: {},
  container: {},
  labels: { "pod-security.kubernetes.io/enforce": "restricted", "drawbridge.dev/team": "team-a" },
  conditions: ["a", "b"],
  writers: ["alice"],
  readers: ["bob"],
};

function changes(was: Team, is: Team): Change[] {
  const metadata = { name: "dev1", namespace: "team-a" };
  const of = "DevContainer dev1";
  const both = (kind: string, make: (team: Team) => object, fields: object = {}) =>
    change(kind, kind, {
      of,
      before: { metadata, ...make(was) } as never,
      after: { metadata, ...make(is) } as never,
      ...fields,
    });
  return [
    both("NetworkPolicy", ({ ingress, egress }) => ({
      spec: { podSelector: { matchLabels: own }, policyTypes: ["Ingress", "Egress"], ingress, egress },
    })),
    both("Role", ({ rules }) => ({ rules })),
    both("RoleBinding", ({ subjects }) => ({ roleRef: { kind: "Role", name: "dev1" }, subjects })),
    both("ConfigMap", ({ keys, authorities }) => ({
      data: { authorized_keys: keys.join("\n"), user_ca_keys: authorities.join("\n"), principals: "dev\n" },
    })),
    both("VirtualService", ({ hosts, identities, demandsCertificate }) => ({
      spec: {
        hosts,
        gateways: ["gw/gw"],
        exportTo: ["gw"],
        http: [
          {
            name: "ssh-connect",
            match: [
              {
                authority: { regex: "[^:]+:22" },
                ...(!demandsCertificate
                  ? {}
                  : {
                      headers: {
                        "x-forwarded-client-cert": { regex: `Hash=x;URI=(${identities.join("|")})(;.*)?` },
                      },
                    }),
              },
            ],
            route: [{ destination: { host: "dev1.team-a.svc.cluster.local", port: { number: 22 } } }],
          },
        ],
      },
    })),
    both(
      "Service",
      ({ ranges }) => ({
        spec: { type: "LoadBalancer", selector: own, loadBalancerSourceRanges: ranges },
      }),
      { of: "SshGateway gw" },
    ),
    both("StatefulSet", ({ powers, container }) => ({
      spec: {
        selector: { matchLabels: own },
        template: {
          metadata: { labels: own },
          spec: {
            automountServiceAccountToken: false,
            containers: [{ name: "main", image: "a:1", ...container }],
            ...powers,
          },
        },
      },
    })),
    both("Namespace", ({ labels }) => ({ metadata: { name: "team-a", labels } })),
    both("ValidatingAdmissionPolicy", ({ conditions }) => ({
      spec: { validations: conditions.map((expression) => ({ expression })) },
    })),
    {
      ...both("StorageAccessor", ({ writers, readers }) => ({
        browse: {
          credentials: [
            ...writers.map((user) => ({ user, password: "[secret]", write: true })),
            ...readers.map((user) => ({ user, password: "[secret]" })),
          ],
        },
      })),
      type: "drawbridge:index:StorageAccessor",
      isCustom: false,
    },
  ];
}

const number = fc.integer({ min: 10, max: 250 });
const octets = fc.tuple(number, number);
type Edit = (team: Team) => Team;
const add =
  (
    field:
      | "ingress"
      | "egress"
      | "rules"
      | "subjects"
      | "keys"
      | "authorities"
      | "identities"
      | "hosts"
      | "ranges"
      | "writers"
      | "readers"
      | "conditions",
    ...items: unknown[]
  ): Edit =>
  (team) =>
    ({ ...team, [field]: [...team[field], ...items] }) as Team;
const to = (cidr: string, ...ports: object[]) => ({
  to: [{ ipBlock: { cidr } }],
  ...(ports.length === 0 ? {} : { ports }),
});

/** Over a wall, each in many variants. Additions only, so that one edit does not take another back. */
const crossing: fc.Arbitrary<Edit> = fc.oneof(
  octets.map(([a, b]) => add("egress", to(`10.${a}.${b}.0/24`))),
  octets.map(([a, b]) => add("egress", to(`192.168.${a}.${b}/32`, { port: 443 }))),
  octets.map(([a, b]) => add("egress", to(`172.${16 + (a % 16)}.${b}.0/24`, { port: 1, endPort: 100 + b }))),
  octets.map(([a, b]) => add("egress", to(`100.${64 + (a % 64)}.${b}.0/24`))),
  fc
    .constantFrom("0.0.0.0/0", "::/0", "169.254.169.254/32", "fd00::/8", "8.0.0.0/5", "127.0.0.1/32")
    .map((cidr) => add("egress", to(cidr))),
  fc.constant(add("egress", {})),
  number.map((a) => add("egress", { to: [{ namespaceSelector: named(`team-${a}`), podSelector: {} }] })),
  number.map((a) =>
    add("ingress", { from: [{ namespaceSelector: named(`team-${a}`) }], ports: [{ port: a }] }),
  ),
  number.map((a) => add("ingress", { from: [{ ipBlock: { cidr: `203.0.113.${a}/32` } }] })),
  fc.constant(add("ingress", { from: [{ namespaceSelector: {} }] })),
  fc.constant(add("ingress", {})),
  fc
    .constantFrom(
      ["*", "get"],
      ["pods", "*"],
      ["serviceaccounts/token", "create"],
      ["pods/status", "patch"],
      ["endpoints", "update"],
      ["roles", "escalate"],
      ["users", "impersonate"],
    )
    .map(([resource, verb]) =>
      add("rules", { apiGroups: [""], resources: [resource], verbs: ["get", verb] }),
    ),
  fc
    .constantFrom(
      "system:authenticated",
      "system:serviceaccounts",
      "system:masters",
      "system:unauthenticated",
    )
    .map((name) => add("subjects", { kind: "Group", name })),
  number.map((a) => add("subjects", { kind: "ServiceAccount", name: "ci", namespace: `team-${a}` })),
  number.map((a) => add("authorities", key(1000 + a))),
  number.map((a) => add("keys", `cert-authority ${key(2000 + a)}`)),
  number.map((a) => add("identities", `spiffe://evil-${a}.example/user/x`)),
  fc.constant((team: Team): Team => ({ ...team, demandsCertificate: false })),
  number.map((a) => add("hosts", `dev1.team-${a}.dev.example.com`)),
  fc.constantFrom("0.0.0.0/0", "10.0.0.0/8", "192.0.0.0/16").map((range) => add("ranges", range)),
  fc
    .constantFrom(
      { hostNetwork: true },
      { hostPID: true },
      { hostIPC: true },
      { automountServiceAccountToken: true },
      { volumes: [{ name: "x", hostPath: { path: "/var" } }] },
      { hostSomething: true },
    )
    .map(
      (powers): Edit =>
        (team) => ({ ...team, powers: { ...team.powers, ...powers } }),
    ),
  fc
    .constantFrom(
      { privileged: true },
      { allowPrivilegeEscalation: true },
      { runAsUser: 0 },
      { capabilities: { add: ["SYS_ADMIN"] } },
      { seccompProfile: { type: "Unconfined" } },
    )
    .map(
      (securityContext): Edit =>
        (team) => ({ ...team, container: { ...team.container, securityContext } }),
    ),
  fc.constantFrom("baseline", "privileged").map(
    (level): Edit =>
      (team) => ({ ...team, labels: { ...team.labels, "pod-security.kubernetes.io/enforce": level } }),
  ),
  fc.constant((team: Team): Team => ({ ...team, labels: { ...team.labels, "drawbridge.dev/team": "" } })),
  fc.constant((team: Team): Team => ({ ...team, conditions: team.conditions.filter((one) => one !== "a") })),
  number.map((a) => add("writers", `writer${a}`)),
);

/** Within the walls. */
const daily: fc.Arbitrary<Edit> = fc.oneof(
  octets.map(([a, b]) => add("egress", to(`93.${a}.${b}.0/24`, { port: 443 }))),
  number.map((a) => add("egress", { to: [{ podSelector: { matchLabels: { app: `a${a}` } } }] })),
  number.map((a) =>
    add("ingress", { from: [{ podSelector: { matchLabels: { app: `a${a}` } } }], ports: [{ port: a }] }),
  ),
  fc
    .constantFrom("services", "configmaps", "events")
    .map((resource) => add("rules", { apiGroups: [""], resources: [resource], verbs: ["get", "list"] })),
  number.map((a) => add("subjects", { kind: "User", name: `person${a}` })),
  number.map((a) => add("subjects", { kind: "ServiceAccount", name: `own${a}`, namespace: "team-a" })),
  number.map((a) => add("keys", key(3000 + a))),
  number.map((a) => add("keys", `restrict,pty ${key(4000 + a)}`)),
  number.map((a) => add("identities", `spiffe://example.com/user/x${a}`)),
  number.map((a) => add("hosts", `dev1.team-a.svc.cluster.local`, `own${a}.team-a.dev.example.com`)),
  number.map((a) => add("readers", `reader${a}`)),
  number.map((a) => add("conditions", `c${a}`)),
);

/** Less than there was, or the same in other words. */
const narrowing: fc.Arbitrary<Edit> = fc.oneof(
  fc
    .constantFrom(
      "egress" as const,
      "ingress" as const,
      "rules" as const,
      "subjects" as const,
      "readers" as const,
      "writers" as const,
    )
    .map(
      (field): Edit =>
        (team) => ({ ...team, [field]: team[field].slice(1) }),
    ),
  number.map(
    (a): Edit =>
      (team) => ({ ...team, ranges: [`192.0.2.${a}/32`] }),
  ),
  fc.constant((team: Team): Team => ({ ...team, ranges: ["192.0.2.128/25", "192.0.2.0/25"] })),
  fc.constant(
    (team: Team): Team => ({ ...team, egress: team.egress.toReversed(), keys: team.keys.toReversed() }),
  ),
  fc.constant((team: Team): Team => ({ ...team, container: { ...team.container, image: "a:2" } })),
  fc.constant((team: Team): Team => ({ ...team, authorities: [] })),
);

const verdict = (edits: readonly Edit[]) =>
  judge(
    whole(
      changes(
        first,
        edits.reduce((team, edit) => edit(team), first),
      ),
    ),
    [],
    today,
  );

describe("random edits of a team", () => {
  it("never pass when one of them crosses a wall", () => {
    const around = fc.array(daily, { maxLength: 5 });
    fc.assert(
      fc.property(around, crossing, around, (before, edit, after) => {
        expect(verdict([...before, edit, ...after]).code).not.toBe(0);
      }),
      runs,
    );
  });

  it("are never refused when they are daily, narrowing or neutral", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(daily, narrowing), { maxLength: 8 }), (edits) => {
        const { code, refused, unjudged } = verdict(edits);
        expect({ code, refused, unjudged }).toEqual({ code: 0, refused: [], unjudged: [] });
      }),
      runs,
    );
  });

  it("are reported one by one when they add something", () => {
    fc.assert(
      fc.property(daily, (edit) => {
        const isAdded = JSON.stringify(edit(first)) !== JSON.stringify(first);
        const { access } = verdict([edit]);
        // A stricter admission policy gives nobody anything.
        const isStricter = edit(first).conditions.length > first.conditions.length;
        expect(access.some(({ effect }) => effect === "gains")).toBe(isAdded && !isStricter);
      }),
      runs,
    );
  });
});
