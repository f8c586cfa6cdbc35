import {
  connectFilter,
  gatewaySettings,
  parseArgs,
  planSshGateway,
  planStorageProxy,
  type SshGatewayInput,
  sshGatewaySchema,
  storageProxySchema,
} from "@drawbridge-iac/manifests";
import { describe, expect, it } from "vitest";
import { judge } from "../guard.ts";
import { change, whole } from "../sample.ts";

type Inputs = Readonly<Record<string, unknown>>;

/** As a preview holds it. */
const plain = (manifest: unknown) => JSON.parse(JSON.stringify(manifest)) as Inputs;

const loadBalancer = { preset: "generic" } as const;

function gateway(args: Partial<SshGatewayInput> = {}): Inputs {
  const parsed = parseArgs("SshGateway", "gw", sshGatewaySchema, {
    domain: "dev.example.com",
    ...("existing" in args ? {} : { loadBalancer }),
    ...args,
  });
  return plain(connectFilter(planSshGateway("gw", parsed)));
}

const proxyArgs = { mode: "istio" as const, dnsName: "files.example.com", loadBalancer };
const proxy = plain(
  gatewaySettings(
    planStorageProxy("files", parseArgs("StorageProxy", "files", storageProxySchema, proxyArgs)),
  ),
);

interface Patch {
  readonly applyTo: string;
  readonly patch: { readonly operation: string; readonly value: Inputs };
}
const patchesOf = (filter: Inputs) => (filter.spec as { configPatches: Patch[] }).configPatches;
const withPatches = (filter: Inputs, configPatches: readonly unknown[]): Inputs => ({
  ...filter,
  spec: { ...(filter.spec as object), configPatches },
});

function judged(before: Inputs | undefined, after: Inputs | undefined, of = "StorageProxy files") {
  const op = before === undefined ? "create" : after === undefined ? "delete" : "update";
  const verdict = judge(
    whole([change("EnvoyFilter", "gw", { of, op, before, after })]),
    [],
    new Date("2026-06-15T12:00:00Z"),
  );
  const found = [...verdict.refused, ...verdict.unjudged].map(({ rule, text }) => `${rule}: ${text}`);
  return { code: verdict.code, found, said: verdict.access.map(({ text }) => text) };
}

const passes = { code: 0, found: [] };

describe("a filter of ours", () => {
  it("comes with its gateway or proxy, and with no other component", () => {
    for (const filter of [gateway(), proxy])
      expect(judged(undefined, filter)).toEqual({ ...passes, said: ["EnvoyFilter is new"] });
    expect(judged(undefined, gateway(), "DevContainer dev1")).toEqual({
      code: 2,
      found: ["unknown-kind: an EnvoyFilter can do anything to a proxy"],
      said: [],
    });
  });

  it("may not go, nor leave its proxies for others", () => {
    expect(judged(gateway(), undefined).found).toEqual([
      "wall-removed: what it limited or demanded of clients ends",
    ]);
    const moved = gateway({
      existing: { namespace: "istio-ingress", selector: { istio: "a" }, address: "192.0.2.1" },
    });
    const other = gateway({
      existing: { namespace: "istio-ingress", selector: { istio: "b" }, address: "192.0.2.1" },
    });
    expect(judged(moved, other)).toEqual({
      code: 1,
      found: [
        "wall-removed: it would patch other proxies, so those of before lose what it limited or demanded",
      ],
      said: [],
    });
    const everywhere = { ...moved, spec: { configPatches: patchesOf(moved) } };
    expect(judged(undefined, everywhere, "SshGateway gw").found).toEqual([
      "unknown-field: without spec.workloadSelector it patches proxies that nobody named",
    ]);
  });

  it.each<[string, Partial<SshGatewayInput>, string, string | undefined]>([
    [
      "rejectEarlyConnectData",
      { rejectEarlyConnectData: false },
      "wall-removed: what a client sends before its tunnel stands would be let through (CVE-2025-64763)",
      "what a client sends before its tunnel stands is refused",
    ],
    [
      "audit",
      { audit: false },
      "wall-removed: no line would be logged of who opens a tunnel to what",
      undefined,
    ],
  ])("may not lose %s, and may get it", (_, args, found, said) => {
    expect(judged(gateway(), gateway(args))).toEqual({ code: 1, found: [found], said: [] });
    expect(judged(gateway(args), gateway())).toEqual({ ...passes, said: said === undefined ? [] : [said] });
  });

  it("may limit clients more, and not less", () => {
    const wide = gateway({ connectionLimits: { perClient: { burst: 600 } } });
    expect(judged(gateway(), wide)).toEqual({
      code: 1,
      found: ["wall-removed: connectionLimits.perClient.burst: 300 → 600"],
      said: [],
    });
    expect(judged(wide, gateway())).toEqual({
      ...passes,
      said: ["connectionLimits.perClient.burst: 600 → 300"],
    });
    const unlimited = withPatches(
      gateway(),
      patchesOf(gateway()).filter(({ patch }) => patch.operation !== "INSERT_FIRST"),
    );
    expect(judged(gateway(), unlimited).found).toEqual([
      "wall-removed: one client could open any number of connections",
    ]);
    expect(judged(unlimited, gateway())).toEqual({
      ...passes,
      said: ["one client may open 300 connections a minute, 300 at once"],
    });
  });

  it("knows what slows clients down as part of its limits, and an earlier version's limits without it", () => {
    const patches = patchesOf(gateway());
    const [slowed, slow, refusing] = patches.filter(({ patch }) => patch.operation === "INSERT_FIRST");
    const without = (...gone: unknown[]) =>
      withPatches(
        gateway(),
        patches.filter((one) => !gone.includes(one)),
      );
    expect(judged(without(slowed, slow), gateway())).toEqual({ ...passes, said: [] });
    // With other numbers, or a second time, it is a patch that this version does not know.
    const others = patchesOf(gateway({ connectionLimits: { perClientAndContainer: { burst: 20 } } }));
    const strange = others.filter(({ patch }) => patch.operation === "INSERT_FIRST")[1];
    const twice = [withPatches(gateway(), [...patches, slow as Patch])];
    const other = [withPatches(without(slow), [...patchesOf(without(slow)), strange as Patch])];
    for (const after of [...twice, ...other]) {
      expect(judged(gateway(), after).found).toEqual([
        expect.stringMatching(
          /^unknown-field: spec\.configPatches: HTTP_FILTER INSERT_FIRST \w+ is a patch that/,
        ),
      ]);
    }
    expect(judged(gateway(), without(refusing)).found).toEqual([
      "wall-removed: one client could open any number of connections",
    ]);
  });

  it("may get a longer log, with fields of ours only", () => {
    const logging = (edit: (text: string) => string) => plain(JSON.parse(edit(JSON.stringify(gateway()))));
    const shorter = logging((text) => text.replace('"identity":"%DOWNSTREAM_PEER_URI_SAN%",', ""));
    expect(judged(shorter, gateway())).toEqual({ ...passes, said: [] });
    expect(judged(gateway(), shorter).found).toEqual(["wall-removed: its log would no longer say identity"]);
    const telling = logging((text) => text.replace("%REQ(:METHOD)%", "%REQ(AUTHORIZATION)%"));
    expect(judged(gateway(), telling).code).toBe(2);
  });

  it("may not get a patch that is not ours, nor lose an unknown one unseen", () => {
    const lua = {
      applyTo: "HTTP_FILTER",
      match: { context: "GATEWAY" },
      patch: { operation: "INSERT_BEFORE", value: { name: "envoy.filters.http.lua" } },
    };
    const strange = withPatches(gateway(), [...patchesOf(gateway()), lua]);
    const { code, found } = judged(gateway(), strange);
    expect({ code, found }).toEqual({
      code: 2,
      found: [
        expect.stringMatching(
          /^unknown-field: spec\.configPatches: HTTP_FILTER INSERT_BEFORE [0-9a-f]{12} is a patch that this version does not know$/,
        ),
      ],
    });
    expect(judged(undefined, strange).code).toBe(2);
    expect(judged(strange, gateway()).found).toEqual([
      expect.stringMatching(
        /^wall-removed: the patch HTTP_FILTER INSERT_BEFORE [0-9a-f]{12}, which this version does not know, ends$/,
      ),
    ]);
    const prior = { ...gateway(), spec: { ...(gateway().spec as object), priority: -1 } };
    expect(judged(gateway(), prior).found).toEqual([
      "unknown-field: spec.priority is a field that this version does not know",
    ]);
  });
});

type Path = readonly (string | number)[];

function leaves(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return [path];
  return Object.entries(value).flatMap(([key, inner]) =>
    leaves(inner, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

function edited(value: unknown, [key, ...rest]: Path): unknown {
  if (key === undefined)
    return typeof value === "number" ? value + 1 : typeof value === "boolean" ? !value : "x";
  const copy = structuredClone(value) as Record<string | number, unknown>;
  copy[key] = edited(copy[key], rest);
  return copy;
}

describe("any one value that is changed in a filter of ours", () => {
  it.each([
    ["gateway", gateway()],
    ["storage proxy", proxy],
  ])("of a %s does not pass", (_, filter) => {
    const all = leaves(filter.spec, ["spec"]);
    expect(all.length).toBeGreaterThan(30);
    for (const path of all) {
      const { code } = judged(filter, edited(filter, path) as Inputs);
      expect({ path, passes: code === 0 }).toEqual({ path, passes: false });
    }
  });

  it("and any patch that is left out of it: refused, or of no use to anybody", () => {
    // Keepalive, unused filters, headers of a request and slowing clients down neither keep anybody out nor let one in.
    const neutral = /keepalive|"REMOVE"|skip_xff_append|"drawbridge\.slow/;
    for (const filter of [gateway(), proxy])
      for (const [index, patch] of patchesOf(filter).entries()) {
        const less = withPatches(
          filter,
          patchesOf(filter).filter((_, place) => place !== index),
        );
        const { code, said } = judged(filter, less);
        const expected = neutral.test(JSON.stringify(patch)) ? 0 : 1;
        const isConnect = JSON.stringify(patch).includes("connect_matcher");
        expect({ patch, code, said }).toEqual({
          patch,
          code: isConnect ? 0 : expected,
          said: isConnect ? ["no route becomes a tunnel any more, so nobody can log in through it"] : [],
        });
      }
  });
});
