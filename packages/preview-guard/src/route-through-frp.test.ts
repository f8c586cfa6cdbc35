/** A SshRoute that gets a way in through frp: told as what it opens, and refused where its frpc could do more. */
import { parseArgs, planSshRoute, sshRouteObjects, sshRouteSchema } from "@drawbridge-iac/manifests";
import { describe, expect, it } from "vitest";
import { judge } from "./guard.ts";
import type { Change } from "./preview.ts";
import { change, whole } from "./sample.ts";

const plan = planSshRoute(
  "box",
  parseArgs("SshRoute", "box", sshRouteSchema, {
    namespace: "team-a",
    serviceName: "legacy",
    userName: "ubuntu",
    hostPublicKeys: [
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice",
    ],
    podLabels: { app: "box" },
    networkPolicy: "allow-gateway",
    access: {
      frp: {
        server: {
          serverAddr: "frp.frp.svc.cluster.local",
          caBundle: "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----\n",
          connectAddress: "192.0.2.7",
          domain: "ssh.example.com",
          authorizer: { namespace: "frp", serviceAccountName: "frp" },
        },
        token: "x".repeat(32),
      },
    },
  }),
);
const objects = sshRouteObjects(plan, { token: "[secret]", tokenSha256: "00ff" });
type Key = keyof typeof objects;

// biome-ignore lint/suspicious/noExplicitAny: an object of whatever kind
type Edit = (manifest: any) => object | undefined;

/** All of the route's objects, new, one of them in another form or left out. */
const added = (edits: Partial<Record<Key, Edit>> = {}): Change[] =>
  Object.entries(objects).flatMap(([key, object]) => {
    if (!object) return [];
    const { kind, metadata } = object.manifest;
    const after = edits[key as Key] ? edits[key as Key]?.(object.manifest) : object.manifest;
    if (after === undefined) return [];
    const fields = { op: "create", before: undefined, after, of: "SshRoute box", isOwnerNew: true } as const;
    return [change(kind, String(metadata.name), fields as never)];
  });

const verdict = (changes: readonly Change[]) => judge(whole(changes), [], new Date("2026-06-15T12:00:00Z"));

it("is told as what it opens, and none of it is refused", () => {
  const { code, refused, unjudged, access } = verdict(added());
  expect({ code, refused, unjudged }).toEqual({ code: 0, refused: [], unjudged: [] });
  expect(access.map(({ effect, object, text }) => `${effect}: ${object}: ${text}`)).toEqual([
    "gains: NetworkPolicy team-a/box-ssh: ssh-route box of its own namespace may reach TCP 22 of it",
    "gains: ConfigMap team-a/frp-grant.box: frp-grant.box may take its name through frp",
    "gains: Role team-a/frp-grant.box: its holders may get configmaps frp-grant.box in namespace team-a",
    "gains: RoleBinding team-a/frp-grant.box: ServiceAccount frp/frp gains Role frp-grant.box",
    "gains: NetworkPolicy team-a/box-frpc: it may reach frp-server frp of namespace frp at TCP 7000",
    "gains: NetworkPolicy team-a/box-frpc: it may reach pods with app=box of its own namespace at TCP 22",
  ]);
});

const withSpec =
  (further: (spec: Record<string, never>) => object): Edit =>
  (manifest) => ({ ...manifest, spec: { ...manifest.spec, ...further(manifest.spec) } });
const namespaceCalled = (name: string) => ({ matchLabels: { "kubernetes.io/metadata.name": name } });

describe("is refused with", () => {
  it.each<[string, Partial<Record<Key, Edit>>, string]>([
    [
      "no wall before its frpc",
      { "frpc-network": () => undefined },
      "no NetworkPolicy of this preview would select its pods",
    ],
    [
      "a frpc that reaches another's pods",
      {
        "frpc-network": withSpec(() => ({
          egress: [{ to: [{ namespaceSelector: namespaceCalled("team-b") }], ports: [{ port: 22 }] }],
        })),
      },
      "it may reach pods with any label of namespace team-b at TCP 22",
    ],
    [
      "a frpc that everybody reaches",
      { "frpc-network": withSpec(() => ({ ingress: [{ ports: [{ port: 22 }] }] })) },
      "everybody at TCP 22 may reach it",
    ],
    [
      "a token of the Kubernetes API in its pod",
      {
        "frpc-workload": withSpec(({ template }: Record<string, { spec: object }>) => ({
          template: { ...template, spec: { ...template?.spec, automountServiceAccountToken: true } },
        })),
      },
      "its pod holds a token of the Kubernetes API (service account default)",
    ],
    [
      "an authorizer that may read more than the grant",
      {
        "frp-grant-role": (manifest) => ({
          ...manifest,
          rules: [{ ...manifest.rules[0], resourceNames: ["frp-grant.box", "settings"] }],
        }),
      },
      "ServiceAccount frp/frp gains Role frp-grant.box: the account belongs to another namespace",
    ],
  ])("%s", (_, edits, said) => {
    const { code, refused, unjudged } = verdict(added(edits));
    expect({ code, refused: refused.map(({ text }) => text), unjudged }).toEqual({
      code: 1,
      refused: [said],
      unjudged: [],
    });
  });
});
