/** A secret Output at each place of each component's arguments, in each shape: no word of it, and a fault where none may stand. */
import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { describe, expect, it } from "vitest";
import { type Path, placesIn, put } from "../../../../../scripts/lib/trials/edit.ts";
import { everyArgument, schemaOf } from "../../../../../test/support/engine/every-argument.ts";
import { leakFinder, random, secretText, shapes } from "../../../../../test/support/secrets/leaks.ts";
import { deriveHostKey } from "../../host/keys/host-key.ts";
import { isDeferred } from "../../kit/input.ts";
import { formatPath } from "../../kit/zod-faults.ts";
import { checkArgs, leavesOf } from "./check-args.ts";

const next = random("programs");
const secret = secretText(next);
const leaks = leakFinder([secret]);

/** Each place of a component's arguments once. */
const places = () =>
  [
    ...new Map(
      everyArgument().flatMap(({ kind, name, args }) =>
        placesIn(args).map(
          (at): [string, { kind: typeof kind; name: string; args: typeof args; at: Path }] => [
            `${kind} ${formatPath(at.map((part) => (typeof part === "number" ? 0 : part)))}`,
            { kind, name, args, at },
          ],
        ),
      ),
    ),
  ] as const;

/** What is said of the arguments, at once and when their secrets are known, and which places are at fault. */
async function check(
  { kind, name }: { kind: Parameters<typeof schemaOf>[0]; name: string },
  args: object,
): Promise<{ said: string; faults: string[] }> {
  try {
    const checked = checkArgs({ component: kind, name, schema: schemaOf(kind), args, opts: undefined });
    // Each of them fails with the same error, which is looked at once.
    for (const { value } of leavesOf(checked.args).filter((leaf) => isDeferred(leaf.value))) {
      const later = value as {
        promise(): Promise<unknown>;
        isKnown: Promise<boolean>;
        isSecret: Promise<boolean>;
      };
      await Promise.allSettled([later.promise(), later.isKnown, later.isSecret]);
    }
    await checked.child.dependsOn;
    return { said: "", faults: [] };
  } catch (error) {
    const { issues, stack } = error as { issues?: { path: string; message: string }[]; stack?: string };
    const said = [stack, inspect(error, { depth: null }), JSON.stringify(error)].join("\n");
    return {
      said,
      faults: issues?.map(({ path, message }) => `${path}: ${message}`) ?? [`a crash: ${stack}`],
    };
  }
}

/** The rows of which a Secret is made. */
const mayStand = /(^|\.)(seed|privateKey|access\.frp\.token|frp\.token|password)$|(^|\.)secretEnv\.\w+$/;

describe.each(Object.entries(shapes))("a secret %s", (shape, shaped) => {
  it.each([
    ["as an Output", () => pulumi.secret(secret)],
    ["as an Output with it inside", () => pulumi.output({ inner: pulumi.secret(secret) })],
  ])("%s is in no word, and at fault wherever none may stand", { timeout: 300_000 }, async (_, made) => {
    const bad: string[] = [];
    const isCut = shape === "alone" || shape === "padded";
    const all = places().filter((_, index) => isCut || index % 4 === shape.length % 4);
    for (const [title, { at, args, ...one }] of all) {
      const { said, faults } = await check(one, put(args, at, shaped(made(), next)));
      const found = leaks(said);
      if (found.length > 0) bad.push(`${title} says ${found[0]}: ${faults.join(", ")}`);
      // Any name may stand in this map, and whole it is no text.
      const isRight = mayStand.test(formatPath(at)) || (shape !== "alone" && title.endsWith("secretEnv"));
      if (faults.length === 0 && !isRight) bad.push(`${title}: taken`);
      if (faults.some((fault) => fault.startsWith("a crash"))) bad.push(`${title}: ${faults}`);
    }
    console.log(`${all.length} places`);
    expect(bad).toEqual([]);
  });
});

it("a secret in a row of which a Secret is made is taken", async () => {
  const rows = places().filter(([, { at }]) => mayStand.test(formatPath(at)));
  expect(rows.length).toBeGreaterThan(8);
  const { privateKey } = deriveHostKey("a".repeat(40), "team-a/dev1");
  for (const [title, { at, args, ...one }] of rows) {
    const value = at.at(-1) === "privateKey" ? privateKey : "a".repeat(40);
    expect([title, (await check(one, put(args, at, pulumi.secret(value)))).faults]).toEqual([title, []]);
  }
});
