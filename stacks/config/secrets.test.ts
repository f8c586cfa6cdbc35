/** A secret at each place of a stack's file, in each shape: no word of it, and a fault wherever none may stand. */
import { inspect } from "node:util";
import { Secret } from "@drawbridge-iac/drawbridge/src/kit/secret";
import { formatPath } from "@drawbridge-iac/drawbridge/src/kit/zod-faults";
import { located, stackError } from "@drawbridge-iac/drawbridge/src/stacks/fault";
import { checkStackConfig, readStack } from "@drawbridge-iac/drawbridge/src/stacks/read";
import { asWritten } from "@drawbridge-iac/drawbridge/src/stacks/secrets";
import { describe, expect, it } from "vitest";
import { put } from "../../scripts/lib/field-edits/edit.ts";
import {
  leakFinder,
  type Place,
  placesIn,
  random,
  secretText,
  shapes,
} from "../../test/support/secrets/leaks.ts";
import { type Config, rightFiles } from "./mistakes.fixture.ts";

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
  return { said: said.join("\n"), faults: faults.map(({ path, code }) => `${formatPath(path)}: ${code}`) };
}

/** Each place of the files once, with a file that has it. */
function places(): { at: Place; config: Config }[] {
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
      const isExposed = faults.some((one) => one.startsWith(title) && /secret-in-(env|the-open)$/.test(one));
      const isRow = mayStand.test(title);
      // Any name may stand in this map, and whole it is no text.
      const isRight = isRow
        ? shape !== "alone" || faults.length === 0
        : isExposed || (shape !== "alone" && title.endsWith(".secretEnv"));
      if (!isRight) bad.push(`${title}: ${faults.join(", ")}`);
    }
    console.log(`${all.length} places`);
    expect(bad).toEqual([]);
  });
});
