import { sshTargetKind } from "@drawbridge-iac/drawbridge/src/host/client-texts/target";
import { storageTargetKind } from "@drawbridge-iac/drawbridge/src/storage-accessor/ref";
import { describe, expect, it } from "vitest";
import { sshTarget } from "./ssh-target.fixture.ts";
import { findStorages, findTargets, nameTargets, tlsOn } from "./targets.ts";

const target = (name: string, namespace = "team-a") =>
  sshTarget({ name, namespace, hostName: `${name}.${namespace}.dev.example.com` });

describe("findTargets", () => {
  it("finds objects and JSON texts at any depth, and nothing else", () => {
    const outputs = {
      one: target("one"),
      list: [{ deep: JSON.stringify(target("two")) }],
      text: `mentions ${sshTargetKind} only`,
      other: { kind: "something else" },
      none: null,
      number: 7,
    };
    expect(findTargets(outputs).map(({ name }) => name)).toEqual(["one", "two"]);
    expect(findTargets("[secret]")).toEqual([]);
  });

  it("reads the object that a stack gives out now, the text of older ones and the names of Python alike", () => {
    const gateway = { way: "gateway", address: "192.0.2.7", port: 443, tls: true, mutual: false };
    const whole = { ...target("one"), ways: [{ ...gateway, serverName: "ssh.example.com" }] };
    const { hostName, hostKeys, ways: _, ...same } = whole;
    const python = {
      ...same,
      host_name: hostName,
      host_keys: hostKeys,
      ways: [{ ...gateway, server_name: "ssh.example.com" }],
    };
    expect(findTargets([whole, JSON.stringify(whole), python])).toEqual([whole, whole, whole]);
  });

  it("names the container and the field that is at fault", () => {
    expect(() => findTargets({ x: { ...target("one"), port: 0, user: "a b" } })).toThrow(
      'the container "one" in the outputs cannot be used: port: 0 is not a port; use a whole number from 1 to 65535; user: is not a user name; use letters, digits, _, . and -, at most 32',
    );
  });
});

describe("findStorages", () => {
  const storage = {
    kind: storageTargetKind,
    name: "models",
    namespace: "team-a",
    status: { phase: "Ready", conditions: [] },
  };

  it("finds storages beside containers", () => {
    const url = "https://files.example.com/storage/team-a/models/";
    const outputs = { a: JSON.stringify({ ...storage, url }), b: target("one"), c: [storage] };
    expect(findStorages(outputs)).toEqual([{ ...storage, url }, storage]);
    expect(findTargets(outputs).map(({ name }) => name)).toEqual(["one"]);
  });

  it("takes no address that is not of the web", () => {
    expect(() => findStorages({ ...storage, url: "file:///etc/passwd" })).toThrow(
      'the storage "models" in the outputs cannot be used: url: is not an http address',
    );
  });
});

describe("nameTargets", () => {
  const named = (targets: object[], prefix?: string) =>
    nameTargets(findTargets(targets), prefix).map(({ alias }) => alias);

  it("tells containers of one name apart by namespace, and puts the prefix before all", () => {
    expect(named([target("b"), target("a"), target("b", "team-b")], "x-")).toEqual([
      "x-a",
      "x-b-team-a",
      "x-b-team-b",
    ]);
  });

  it("makes no host's name of a container's and its namespace's", () => {
    const pairs = [
      ["github", "com", "zz"],
      ["example", "org", "local"],
      ["10", "0", "1"],
      ["localhost", "localdomain", "a"],
      ["www", "gov", "internal"],
    ] as const;
    for (const [name, ...namespaces] of pairs) {
      const aliases = named(namespaces.map((namespace) => target(name, namespace)));
      expect(aliases).toEqual(namespaces.map((namespace) => `${name}-${namespace}`).sort());
    }
    // A prefix is the user's, dots included.
    expect(named([target("b", "c"), target("b", "d")], "mine.")).toEqual(["mine.b-c", "mine.b-d"]);
  });

  it.each(["localhost", "2130706433", "127", "0x7f000001"])(
    "is not this machine nor an address: %s",
    (name) => {
      expect(named([target(name)])).toEqual([`${name}-team-a`]);
      expect(named([target(name)], "x-")).toEqual([`x-${name}`]);
    },
  );

  it("refuses what would be called the same, whose parts are cut elsewhere", () => {
    const cut = [target("a", "b-c"), target("a", "x"), target("a-b", "c"), target("a-b", "y")];
    expect(() => named(cut)).toThrow(
      "b-c/a and c/a-b would both be called a-b-c; read one stack at a time and use --prefix",
    );
    expect(() => named([target("a", "b"), target("a", "c"), target("a-b", "d")])).toThrow(
      "b/a and d/a-b would both be called a-b;",
    );
  });

  it("refuses the same container twice", () => {
    expect(() => named([target("a"), target("a")])).toThrow(
      "two containers are called team-a/a; read one stack at a time and use --prefix",
    );
  });
});

describe("tlsOn", () => {
  const saved = { tls: { ca: "/ca.pem", cert: undefined, key: undefined } };

  it("gives the gateway's certificate its name, and an frp server's none, which is for its address", () => {
    const gateway = {
      way: "gateway",
      address: "192.0.2.7",
      port: 443,
      tls: true,
      serverName: "ssh.example.com",
      mutual: false,
    } as const;
    const frp = {
      way: "frp",
      address: "frp.example.com",
      port: 443,
      hostName: "x.example.com",
      tls: true,
    } as const;
    expect(tlsOn(gateway, saved)).toEqual({ ...saved.tls, "server-name": "ssh.example.com" });
    expect(tlsOn(frp, saved)).toEqual({ ...saved.tls, "server-name": undefined });
  });
});
