import { describe, expect, it } from "vitest";
import type { Change } from "./change.ts";
import { rules } from "./rules.ts";
import { change } from "./sample.fixture.ts";

const claimKind = "PersistentVolumeClaim";

const found = (rule: string, one: Change, changes?: readonly Change[]) =>
  rules.find(({ name }) => name === rule)?.check(one, changes);

describe("volume-lost", () => {
  const claim = (fields: Partial<Change>) => found("volume-lost", change(claimKind, "dev1-home", fields));

  it("refuses a replaced volume, retained or not", () => {
    for (const op of ["replace", "create-replacement", "delete-replaced"]) {
      expect(claim({ op, retained: true })).toEqual([
        "the volume dev1-home would be replaced by an empty one",
      ]);
    }
  });

  it("refuses a deleted volume unless it is retained", () => {
    expect(claim({ op: "delete" })).toEqual(["the volume dev1-home would be deleted with its data"]);
    expect(claim({ op: "delete", retained: true })).toEqual([]);
  });

  it("lets a volume be made, grown and left alone, and ignores other kinds", () => {
    for (const op of ["create", "update", "same"]) expect(claim({ op })).toEqual([]);
    expect(found("volume-lost", change("ConfigMap", "dev1-home", { op: "delete" }))).toEqual([]);
  });
});

describe("volume-left-behind", () => {
  const object = (name: string, namespace = "team-a") => ({ metadata: { name, namespace } });
  const removed = (fields: Partial<Change> & { of?: string } = {}) =>
    change(claimKind, "dev1-home", {
      op: "delete",
      retained: true,
      of: "DevContainer dev1",
      before: object("dev1-home"),
      ...fields,
    });
  const made = (name: string, of: string, namespace?: string) =>
    change(claimKind, name, { op: "create", of, after: object(name, namespace) });
  const check = (one: Change, ...others: Change[]) => found("volume-left-behind", one, [one, ...others]);

  it("refuses a container under another name that would begin with an empty home", () => {
    expect(check(removed(), made("dev2-home", "DevContainer dev2"))).toEqual([
      'the volume dev1-home would stay behind unused while dev2-home begins empty; if dev1 is called dev2 now, give it home.claimName: "dev1-home" and hostKey.identity: "team-a/dev1"',
    ]);
  });

  it("names all new containers that an old one may have become in one sentence", () => {
    const others = ["dev10", "dev3", "dev2"].map((name) => made(`${name}-home`, `DevContainer ${name}`));
    expect(check(removed(), ...others)).toEqual([
      'the volume dev1-home would stay behind unused while dev2-home, dev3-home, dev10-home begin empty; if dev1 is called one of dev2, dev3, dev10 now, give it home.claimName: "dev1-home" and hostKey.identity: "team-a/dev1"',
    ]);
  });

  it("names the argument that takes each kind of volume back", () => {
    const persist = change(claimKind, "dev1-persist", { ...removed(), name: "dev1-persist" });
    expect(check(persist, made("dev2-persist", "DevContainer dev2"))?.[0]).toMatch(
      / now, give it persist\.claimName: "dev1-home"$/,
    );
    const storage = removed({ of: "StorageAccessor models" });
    const claim = { ...storage, name: "models-claim", before: object("models-storage") };
    expect(check(claim, made("data-claim", "StorageAccessor data"))?.[0]).toMatch(
      /, give it claimName: "models-storage"$/,
    );
  });

  it.each<[string, Change, ...Change[]]>([
    ["a container be removed", removed()],
    [
      "it adopt a claim",
      removed(),
      change("StatefulSet", "dev2-workload", { op: "create", of: "DevContainer dev2" }),
    ],
    ["one be made in another namespace", removed(), made("dev2-home", "DevContainer dev2", "team-b")],
    ["a claim of another use be made", removed(), made("dev2-persist", "DevContainer dev2")],
    ["a claim of another component be made", removed(), made("data-claim", "StorageAccessor data")],
    // A claim that is not kept: volume-lost reports it.
    ["volume-lost report", removed({ retained: false }), made("dev2-home", "DevContainer dev2")],
  ])("lets %s", (_, one, ...others) => expect(check(one, ...others)).toEqual([]));
});

describe("volume-shrunk", () => {
  const sized = (storage: string) => ({ spec: { resources: { requests: { storage } } } });
  const check = (before: string, after: string, kind = claimKind) =>
    found("volume-shrunk", change(kind, "dev1-home", { before: sized(before), after: sized(after) }));

  it("refuses a smaller volume, whatever the unit", () => {
    expect(check("20Gi", "10Gi")).toEqual([
      "the volume dev1-home would shrink from 20Gi to 10Gi, which Kubernetes refuses; keep 20Gi",
    ]);
    expect(check("1Gi", "1000Mi")).toHaveLength(1);
  });

  it("lets a volume grow, be written in another unit and be created, and ignores other kinds", () => {
    expect([check("1Gi", "2Gi"), check("1Gi", "1024Mi"), check("2Gi", "1Gi", "Secret")]).toEqual([
      [],
      [],
      [],
    ]);
    const made = change(claimKind, "dev1-home", { op: "create", after: sized("1Gi") });
    expect(found("volume-shrunk", made)).toEqual([]);
  });
});

describe("host-key-lost", () => {
  const key = (fields: Partial<Change>, name = "dev1-host-key") =>
    found("host-key-lost", change("Secret", name, { of: "DevContainer dev1", ...fields }));
  const changes = ["the host key of dev1 would change"];

  it("refuses a replaced or changed host key", () => {
    expect(key({ op: "replace" })).toEqual([
      "the host key of dev1 would be replaced; if only its next key changes, set kubernetes:enableSecretMutable to true (an explicit Provider: its argument of this name)",
    ]);
    expect(key({ differing: ["stringData.ssh_host_ed25519_key"] })).toEqual(changes);
  });

  it.each([
    [["a"], ["b"], changes],
    [["a", "b"], ["c"], changes],
    [["a"], ["a", "b"], []],
    [["a", "b"], ["b"], []],
    [undefined, ["a"], changes],
  ])("tells the key from the next one by their public halves: %s, then %s", (before, after, texts) => {
    const keys = (lines: string[] | undefined) =>
      lines === undefined
        ? {}
        : { metadata: { annotations: { "drawbridge.dev/public-keys": lines.join("\n") } } };
    expect(key({ before: keys(before), after: keys(after), differing: ["stringData"] })).toEqual(texts);
  });

  it("lets labels change, a container go, and ignores other Secrets", () => {
    expect(key({ differing: ["metadata.labels.team"] })).toEqual([]);
    expect(key({ op: "delete" })).toEqual([]);
    expect(key({ op: "replace" }, "token")).toEqual([]);
  });
});

describe("ssh-listener-changed", () => {
  const of = "SshGateway ssh";
  const check = (...given: Parameters<typeof change>) => found("ssh-listener-changed", change(...given));

  it.each(["EnvoyFilter", "Gateway", "AuthorizationPolicy"])("refuses a changed or deleted %s", (kind) => {
    for (const op of ["update", "delete", "replace"]) {
      const fields = { of, op, before: { spec: { a: 1 } }, after: { spec: { a: 2 } } };
      expect(check(kind, "ssh-x", fields)).toEqual([
        `${kind} ssh-x of gateway ssh would change, which ends every open session on it after the drain time`,
      ]);
    }
  });

  const labels = (version: string) => ({ metadata: { labels: { version } }, spec: { a: 1 } });
  it.each<Parameters<typeof change>>([
    ["Gateway", "ssh-x", { of, before: labels("1"), after: labels("2") }],
    ["Gateway", "ssh-listeners", { of, op: "create" }],
    ["Deployment", "ssh-proxy", { of }],
    ["VirtualService", "dev1", { of: "DevContainer dev1" }],
    ["Gateway", "web", { of: "StorageProxy web" }],
  ])("lets a gateway be made and its other objects change, and a container's route: %s %s", (...given) => {
    expect(check(...given)).toEqual([]);
  });
});

describe("load-balancer-replaced", () => {
  const balancer = { spec: { type: "LoadBalancer" } };
  const check = (fields: Partial<Change>) =>
    found("load-balancer-replaced", change("Service", "ssh", fields));

  it("refuses to replace, delete or demote a LoadBalancer", () => {
    const lost = ["the LoadBalancer ssh would be replaced or deleted, and with it its address"];
    for (const op of ["replace", "delete"]) expect(check({ op, before: balancer })).toEqual(lost);
    for (const type of ["ClusterIP", "NodePort", undefined])
      expect(check({ before: balancer, after: { spec: { type } } })).toEqual([
        "the Service ssh would stop being a LoadBalancer and lose its address",
      ]);
  });

  it("lets its annotations change, and other Services go", () => {
    expect(check({ before: balancer, after: balancer })).toEqual([]);
    expect(check({ op: "delete", before: { spec: {} } })).toEqual([]);
  });
});
