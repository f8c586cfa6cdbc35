/** New code against the states that earlier code left: nothing is replaced but what is said here, nor restarted, as the guard tells it too. */
import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readPreview } from "../../packages/guard/src/index.ts";
import { type RecordedName, recordedCases, recordedStack } from "../../scripts/lib/engine/recorded.ts";
import { acceptanceFile, guard, previewJson } from "../support/engine/guard.ts";

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

/** What a release interrupts or declares anew: the guard's rules that its upgrade runs into, to be told in its notes. */
const announced: Readonly<Partial<Record<RecordedName, readonly string[]>>> = {};

/** What the report says of sessions where a listener changes. */
const advice =
  /^- sessions through the gateway \S+ end after its drain time .* do it at night, .* drainSeconds .* second gateway first$/m;

const rulesOf = (report: string) =>
  [...new Set([...report.matchAll(/^- \[\*\*([a-z-]+)\*\*\]/gm)].map(([, rule]) => rule))].sort();

it("every case is recorded", () => {
  expect(recorded).toEqual(Object.keys(recordedCases));
});

describe.each(recorded as RecordedName[])("an upgrade of the library with %s", (name) => {
  let made: Awaited<ReturnType<typeof recordedStack>>;
  let preview: string;

  beforeAll(async () => {
    made = await recordedStack(name);
    preview = await previewJson(made.stack);
  });
  afterAll(() => made?.remove());

  it("keeps every object, and every container's pod running", () => {
    const changes = readPreview(preview);
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
  });

  it("is judged, and does what is announced", async () => {
    const rules = announced[name] ?? [];
    const { code, report } = await guard(preview);
    expect({ rules: rulesOf(report), code }).toEqual({ rules, code: rules.length === 0 ? 0 : 1 });
    expect(advice.test(report)).toBe(rules.includes("ssh-listener-changed"));
    if (rules.length === 0) return;
    const file = await acceptanceFile(report, rules, made.folder);
    expect((await guard(preview, "--accept-file", file)).code).toBe(0);
  });

  it("finds what is secret as ciphertext only", async () => {
    const secrets = secretTexts((await made.stack.exportStack()).deployment);
    expect(secrets.some((text) => text.includes("PRIVATE KEY"))).toBe(true);
    const state = readFileSync(`test/recorded/${name}/state.json`, "utf8");
    const shown = secrets.filter((text) => state.includes(JSON.stringify(text).slice(1, -1)));
    expect(shown).toEqual([]);
  });
});
