/** New code against the states that earlier code left: nothing is replaced but what is said here, nor restarted. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readPreview } from "../../packages/guard/src/index.ts";
import { type RecordedName, recordedCases, recordedStack } from "../../scripts/lib/engine/recorded.ts";
import { previewJson } from "../support/engine/guard.ts";

/** The texts that a decrypted state marks as secret, but for names, and for certificates, which are public elsewhere. */
function secretTexts(value: unknown, isSecret = false): string[] {
  if (typeof value === "string") {
    const isPublic = (text: string) => text.length < 16 || text.startsWith("-----BEGIN CERTIFICATE-----");
    return isSecret ? [value, ...encodedIn(value)].filter((text) => !isPublic(text)) : [];
  }
  if (typeof value !== "object" || value === null) return [];
  const { plaintext } = value as { plaintext?: string };
  if (plaintext !== undefined) return secretTexts(JSON.parse(plaintext), true);
  return Object.values(value).flatMap((inner) => secretTexts(inner, isSecret));
}

/** What a Secret's `data` holds, as it was before it was encoded. */
function encodedIn(value: string): string[] {
  const decoded = Buffer.from(value, "base64");
  return decoded.toString("base64") === value ? [decoded.toString()] : [];
}

const recorded = Object.keys(recordedCases).filter((name) => existsSync(`test/recorded/${name}`));

/** Workloads that a release rolls, to be told in its notes; the pods of other containers stay as they are. */
const rolled: Readonly<Partial<Record<RecordedName, readonly string[]>>> = {};

/** Pod template of a workload's inputs. */
function template(inputs: Readonly<Record<string, unknown>> | undefined): unknown {
  return (inputs?.spec as unknown as { template?: unknown } | undefined)?.template;
}

describe("an upgrade of the library", () => {
  it("is tested against every case that is recorded", () => {
    expect(recorded).toEqual(Object.keys(recordedCases));
  });

  it.each(recorded as RecordedName[])(
    "keeps every object of %s, and every container's pod running",
    async (name) => {
      const { stack, remove } = await recordedStack(name);
      try {
        const changes = readPreview(await previewJson(stack));
        // New objects may come: walls that earlier code did not have.
        const ops = changes
          .filter(({ op }) => op !== "same" && op !== "update" && op !== "create")
          .map(({ op, urn }) => `${op} ${urn.split(":").slice(-3).join(" ").replace("  ", " ")}`);
        expect(ops).toEqual([]);
        // By what the provider finds different: a state may spell the same template in another way.
        const restarted = changes
          .filter(({ differing }) => differing.some((path) => /^spec(\.template\b|$)/.test(path)))
          .map(({ urn }) => urn.split("::").at(-1));
        expect(restarted.sort()).toEqual([...(rolled[name] ?? [])].sort());
        // The components' workloads are among them, so the list above says something.
        expect(changes.some(({ after }) => template(after) !== undefined)).toBe(true);
      } finally {
        await remove();
      }
    },
  );

  it.each(recorded as RecordedName[])("finds what is secret in %s as ciphertext only", async (name) => {
    const { stack, remove } = await recordedStack(name);
    try {
      const secrets = secretTexts((await stack.exportStack()).deployment);
      expect(secrets.some((text) => text.includes("PRIVATE KEY"))).toBe(true);
      const state = readFileSync(`test/recorded/${name}/state.json`, "utf8");
      const shown = secrets.filter((text) => state.includes(JSON.stringify(text).slice(1, -1)));
      expect(shown).toEqual([]);
    } finally {
      await remove();
    }
  });
});
