/** A secret at each place of a stack's file, in each shape: no word of it, and a fault wherever none may stand. */
import { inspect } from "node:util";
import { textOf } from "@drawbridge-iac/drawbridge/src/kit/fault";
import { Secret } from "@drawbridge-iac/drawbridge/src/kit/secret";
import { formatPath } from "@drawbridge-iac/drawbridge/src/kit/zod-faults";
import { located, stackError } from "@drawbridge-iac/drawbridge/src/stacks/fault";
import { checkStackConfig, readStack } from "@drawbridge-iac/drawbridge/src/stacks/read";
import { asWritten } from "@drawbridge-iac/drawbridge/src/stacks/secrets";
import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { type Path, placesIn, put } from "../../scripts/lib/trials/edit.ts";
import { leakFinder, random, secretText, shapes } from "../../test/support/secrets/leaks.ts";
import { type Config, key, rightFiles } from "./mistakes.fixture.ts";

const next = random("stack files");
const secret = secretText(next);
const leaks = leakFinder([secret]);

/** What stands for an encrypted value, and is none of the secret. */
const cipher = { secure: "AAAB" };

/** The data as Pulumi decrypts it. */
function decrypted(written: unknown): unknown {
  if (Array.isArray(written)) return written.map(decrypted);
  if (typeof written !== "object" || written === null) return written;
  if ("secure" in written) return secret;
  return Object.fromEntries(Object.entries(written).map(([key, inner]) => [key, decrypted(inner)]));
}

const fileOf = (config: Config) => ({ keys: Object.keys(config), lineOf: () => 1, config });

/** What the program says of a file, and what `drawbridge validate` does. */
async function read(config: Config) {
  const file = fileOf(config);
  const values = decrypted(config) as Config;
  const value = (key: string) =>
    values[key] === undefined ? undefined : asWritten(values[key], config[key], () => undefined);
  const seed = (key: string) => (values[key] === undefined ? undefined : new Secret(values[key]));
  const { faults } = await readStack(
    {
      platform: value("drawbridge:platform"),
      team: value("drawbridge:team"),
      hostKeySeed: seed("drawbridge:hostKeySeed"),
      frpSeed: seed("drawbridge:frpSeed"),
      platformOutputs: async () => ({
        gateway: { name: "ssh", namespace: "ssh", domain: "dev.example.com", plainPort: 80 },
      }),
    },
    file,
  );
  const error = stackError("one", located(faults, file));
  const checked = await checkStackConfig(config, file);
  const said = [
    error.stack,
    inspect(error, { depth: null }),
    inspect(faults, { depth: null }),
    JSON.stringify([error, faults, checked]),
  ];
  return {
    said: said.join("\n"),
    faults: faults.map(
      (fault) => `${formatPath(fault.path)}: ${(fault.kind ?? textOf(fault)).split(/"|; /)[0]}`,
    ),
  };
}

/** Each place of the files once, with a file that has it. */
function places(): { at: Path; config: Config }[] {
  const all = rightFiles().flatMap((config) =>
    placesIn(config)
      .filter((at) => at.at(-1) !== "secure")
      .map(
        (at) =>
          [formatPath(at.map((part) => (typeof part === "number" ? 0 : part))), { at, config }] as const,
      ),
  );
  return [...new Map(all).values()];
}

/** The rows of which a Secret is made. */
const mayStand =
  /^\["drawbridge:(hostKeySeed|frpSeed)"\]$|\.(seed|privateKey|access\.frp\.token|password)$|\.secretEnv\.\w+$/;

describe.each(Object.entries(shapes))("a secret %s", (shape, shaped) => {
  it("is in no word of a fault, and is one wherever none may stand", { timeout: 300_000 }, async () => {
    const bad: string[] = [];
    const isCut = shape === "alone" || shape === "padded";
    const all = places().filter((_, index) => isCut || index % 4 === shape.length % 4);
    for (const { at, config } of all) {
      const title = formatPath(at);
      const { said, faults } = await read(put(config, at, shaped(cipher, next)));
      const found = leaks(said);
      if (found.length > 0) bad.push(`${title} says ${found[0]}: ${faults.join(", ")}`);
      const isExposed = faults.some((one) => one.startsWith(title) && /exposed$/.test(one));
      const isRow = mayStand.test(title);
      // What it is, is no key.
      const others = faults.filter(
        (one) => !one.endsWith(".privateKey: is not an unencrypted ed25519 private key"),
      );
      // Any name may stand in this map, and whole it is no text.
      const isRight = isRow
        ? shape !== "alone" || others.length === 0
        : isExposed || (shape !== "alone" && title.endsWith(".secretEnv"));
      if (!isRight) bad.push(`${title}: ${faults.join(", ")}`);
    }
    console.log(`${all.length} places`);
    expect(bad).toEqual([]);
  });
});

const container = { image: "registry.example.com/dev:1", authorizedKeys: [key] };
const gateway = { name: "ssh", namespace: "ssh", domain: "dev.example.com", plainPort: 80, mutualTls: true };
const team = { namespace: "team-a", gateway, containerDefaults: container, containers: { dev1: {} } };
const platform = { gateway: { domain: "dev.example.com", loadBalancer: { preset: "generic" } } };
const dev1 = (args: object, more: object = {}) => ({ ...team, ...more, containers: { dev1: args } });
const open = "exposed";
const credential = { user: "alice" };
/** In plain, although it should not be. */
const plain = secretText(next);

/** What was tried beside each place alone: what is compared, counted, measured, joined to a name or looked up. */
const tried: readonly [title: string, part: "team" | "platform", config: object, ...codes: string[]][] = [
  [
    "in the cut of a list",
    "team",
    { ...team, namespace: ["x".repeat(29), cipher, "zzzzzzz"] },
    open,
    "must be a string, not [",
  ],
  ["as a name", "team", dev1({ name: cipher }), open],
  [
    "as the name of a container and of a route",
    "team",
    dev1(
      { name: cipher },
      { routes: { box: { name: cipher, serviceName: "vm1", userName: "a", hostPublicKeys: [key] } } },
    ),
    open,
    open,
  ],
  [
    "as the storage that is mounted",
    "team",
    dev1({ mounts: [{ storage: cipher, mountPath: "/data" }] }),
    open,
  ],
  [
    "as the name of a storage that is mounted",
    "team",
    dev1({ mounts: [{ storage: "models", mountPath: "/data" }] }, { storages: { models: { name: cipher } } }),
    open,
  ],
  ["as two equal mount paths", "team", dev1({ persist: { paths: [cipher, cipher] } }), open, open],
  ["as a person", "team", dev1({ people: [cipher] }), open],
  [
    "as a group beside people",
    "team",
    dev1({ groups: [cipher, "ml"] }, { people: { carol: { keys: [key], groups: ["ml"] } } }),
    open,
  ],
  ["as a person's key", "team", { ...team, people: { carol: { keys: [cipher] } } }, open],
  ["as a key beside the same", "team", dev1({ authorizedKeys: [key, cipher, cipher] }), open, open],
  [
    "as a choice",
    "platform",
    { gateway: { domain: "dev.example.com", loadBalancer: { preset: cipher } } },
    open,
  ],
  ["as a switch", "team", { ...team, createNamespace: cipher }, open],
  ["as a number", "team", dev1({ ssh: { port: cipher } }), open],
  [
    "among ports that are counted",
    "team",
    dev1({
      ports: Array.from({ length: 99 }, (_, index) => ({
        name: index === 0 ? cipher : `p${index}`,
        port: 3000 + index,
      })),
    }),
    open,
    "has 99 ports",
  ],
  [
    "among identities that are measured",
    "team",
    dev1({
      access: { gateway: { ...gateway }, allowIdentities: [cipher, `spiffe://x/${"y".repeat(3000)}`] },
    }),
    open,
    "makes a pattern of 3125 characters for the route, and Istio takes at most 1024",
  ],
  [
    "as a limit that is compared",
    "team",
    dev1({ resources: { requests: { memory: "2Gi" }, limits: { memory: cipher } } }),
    open,
  ],
  [
    "as memory beside a larger /dev/shm",
    "team",
    dev1({ resources: { sharedMemory: "4Gi", memory: cipher } }),
    open,
  ],
  ["under an unknown key", "team", dev1({ frobnicate: cipher }), open, "unknown key "],
  ["under a misspelt key", "team", dev1({ hostKey: { sead: cipher } }), "unknown key "],
  ["under a label that is called password", "team", dev1({ pod: { labels: { password: cipher } } }), open],
  [
    "under a label that is called token, of a gateway's selector",
    "platform",
    { gateway: { domain: "dev.example.com", existing: { namespace: "istio", selector: { token: cipher } } } },
    open,
  ],
  ["as a variable in plain", "team", dev1({ env: { TOKEN: cipher, token: cipher } }), open, open],
  ["as a network", "team", dev1({ egress: { allow: [{ cidr: cipher }] } }), open],
  ["as a quota", "team", { ...team, quota: { pods: cipher } }, open],
  [
    "as a host's address",
    "platform",
    { ...platform, teams: { "team-a": { outsideHosts: { vm1: { address: cipher } } } } },
    open,
  ],
  ["as a gateway in a whole", "team", { ...team, gateway: cipher }, open],
  ["as the platform's stack", "team", { ...team, platform: cipher }, open],
  [
    "as a user beside the same",
    "team",
    {
      ...team,
      storages: {
        models: {
          browse: {
            proxy: { name: "a", namespace: "b" },
            credentials: [
              { user: cipher, password: cipher },
              { user: cipher, password: cipher },
            ],
          },
        },
      },
    },
    open,
    open,
  ],
  ["as a whole file", "team", cipher, open],
  ["as all containers", "team", { ...team, containers: cipher }, open],
  ["as all that containers share", "team", { ...team, containerDefaults: cipher }, open],
  [
    "as a private key that is none",
    "team",
    dev1({ hostKey: { privateKey: cipher } }),
    "is not an unencrypted ed25519 private key",
  ],
  ["as a list of variables", "team", dev1({ secretEnv: [cipher] }), "must be an object, not (secret)"],
  ["in plain, as a whole host key", "team", dev1({ hostKey: plain }), "must be an object, not (secret)"],
  [
    "in plain, as a list of credentials",
    "team",
    { ...team, storages: { models: { browse: { credentials: `alice:${plain}` } } } },
    "must be a list, not (secret)",
    "has no proxy",
  ],
  [
    "in plain, as a number of credentials",
    "team",
    {
      ...team,
      storages: {
        models: {
          browse: { proxy: { name: "a", namespace: "b" }, credentials: [{ ...credential, password: plain }] },
        },
      },
    },
    "is a secret in plain text",
  ],
];

describe("a secret", () => {
  const leaksOf = leakFinder([secret, plain]);

  it.each(tried)("%s is in no word", async (_, part, config, ...codes) => {
    const { said, faults } = await read({ [`drawbridge:${part}`]: config, "drawbridge:hostKeySeed": cipher });
    expect(leaksOf(said)).toEqual([]);
    expect([...new Set(faults)].map((fault) => fault.split(": ").at(-1)).sort()).toEqual(codes.sort());
  });

  it("that repeats another by an alias is the other", async () => {
    const at = (place: string) =>
      `config:\n  drawbridge:hostKeySeed: &seed {secure: AAAB}\n  drawbridge:team:\n    namespace: team-a\n    members: {sshpod: {groups: [a]}}\n    containers: {dev1: {image: a/b:1, authorizedKeys: ["${key}"], ${place}: {A: *seed}}}\n`;
    const config = (place: string) => parseDocument(at(place)).toJS().config as Config;
    expect([...new Set((await read(config("env"))).faults)]).toEqual([
      expect.stringMatching(/env\.A: exposed$/),
    ]);
    expect((await read(config("secretEnv"))).faults).toEqual([]);
  });

  it("is what the file does not hold in plain, however Pulumi reads that", () => {
    const isKnown = (value: unknown, written: unknown) => {
      let known = true;
      asWritten(value, written, () => (known = false));
      return known;
    };
    const alike: [read: unknown, written: unknown][] = [
      ["a", "a"],
      [true, true],
      [null, null],
      [1000, "1_000"],
      [22, 22],
      [3, "0b11"],
      ["2026-11-24 00:00:00 +0000 UTC", "2026-11-24"],
      ["2026-11-24 09:30:00.5 +0200 +0200", "2026-11-24T09:30:00.5+02:00"],
      [{ a: [1] }, { a: [1] }],
    ];
    expect(alike.filter(([read, written]) => !isKnown(read, written))).toEqual([]);
    const other: typeof alike = [
      ["a", "b"],
      ["a", undefined],
      [1, "a"],
      [{ a: 1 }, "a"],
      ["2026-11-25", "2026-11-24"],
      [{ a: 1 }, {}],
      [["a"], []],
      ["", { secure: 1 }],
    ];
    expect(other.filter(([read, written]) => isKnown(read, written))).toEqual([]);
  });

  it("too short is not measured", async () => {
    const faults = (seed: string) =>
      readStack(
        {
          platform: undefined,
          team: dev1({}),
          hostKeySeed: new Secret(seed),
          frpSeed: undefined,
          platformOutputs: async () => ({}),
        },
        undefined,
      );
    const [one, other] = await Promise.all(
      ["hunter2", "hunter"].map(async (seed) => (await faults(seed)).faults),
    );
    expect(one?.map(textOf)).toEqual([
      "is too short; use at least 32 characters, for example from: openssl rand -base64 32",
    ]);
    expect(other).toEqual(one);
  });
});
