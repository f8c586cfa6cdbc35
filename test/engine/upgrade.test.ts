/** New code against the states that earlier code left: nothing is replaced, and no pod restarts. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readPreview } from "../../packages/preview-guard/src/index.ts";
import { previewJson } from "../support/guard.ts";
import { type RecordedName, recordedCases, recordedStack } from "../support/recorded.ts";

/** The texts that a decrypted state marks as secret, but for names, and for certificates, which are public elsewhere. */
function secretTexts(value: unknown, isSecret = false): string[] {
  if (typeof value === "string") {
    const isPublic = value.length < 16 || value.startsWith("-----BEGIN CERTIFICATE-----");
    return isSecret && !isPublic ? [value] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  const { plaintext } = value as { plaintext?: string };
  if (plaintext !== undefined) return secretTexts(JSON.parse(plaintext), true);
  return Object.values(value).flatMap((inner) => secretTexts(inner, isSecret));
}

const recorded = Object.keys(recordedCases).filter((name) => existsSync(`test/recorded/${name}`));

/** Pod template of a workload's inputs. */
function template(inputs: Readonly<Record<string, unknown>> | undefined): unknown {
  return (inputs?.spec as { template?: unknown } | undefined)?.template;
}

const proxyConfig =
  "urn:pulumi:storage::drawbridge-storage::drawbridge:index:StorageProxy$kubernetes:core/v1:ConfigMap::files-config";

const replaced = (urn: string) =>
  ["delete-replaced", "replace", "create-replacement"].map((op) => `${op} ${urn}`);
const workload = (project: string, stack: string, name: string) =>
  replaced(
    `urn:pulumi:${stack}::${project}::drawbridge:index:DevContainer$kubernetes:apps/v1:StatefulSet::${name}-workload`,
  );

/**
 * Config maps whose text the upgrade changes: the provider makes them anew unless it is told that they are mutable, as the
 * stacks' provider is; who runs keeps what was read. And the containers' StatefulSets, which got another
 * `podManagementPolicy`: what they mount and are called stays, and is in the list below if it does not.
 */
const replacedOnce: Partial<Record<RecordedName, string[]>> = {
  "team-a": workload("drawbridge", "team-a", "dev1"),
  minimal: workload("drawbridge-minimal", "minimal", "dev1"),
  storage: [...replaced(proxyConfig), ...workload("drawbridge-storage", "storage", "dev1")],
  "frp-without-istio": workload("drawbridge-frp-without-istio", "frp-without-istio", "dev1"),
};

/**
 * Pods that the upgrade restarts, which no session runs through. Envoy reads its filters once, at its start, and dufs the
 * form of its log.
 */
const restartedOnce: Partial<Record<RecordedName, string[]>> = {
  platform: ["files-rec-proxy"],
  "team-a": ["models-accessor"],
  storage: ["files-proxy", "models-accessor"],
};

describe("an upgrade of the library", () => {
  it("is tested against every case that is recorded", () => {
    expect(recorded).toEqual(Object.keys(recordedCases));
  });

  it.each(recorded as RecordedName[])(
    "keeps every object of %s, and every pod of a session running",
    async (name) => {
      const { stack, remove } = await recordedStack(name);
      try {
        const changes = readPreview(await previewJson(stack));
        // New objects may come: walls that earlier code did not have.
        const ops = changes
          .filter(({ op }) => op !== "same" && op !== "update" && op !== "create")
          .map(({ op, urn }) => `${op} ${urn}`);
        expect(ops.sort()).toEqual([...(replacedOnce[name] ?? [])].sort());
        // By what the provider finds different: a state may spell the same template in another way.
        const restarted = changes
          .filter(({ differing }) => differing.some((path) => /^spec(\.template\b|$)/.test(path)))
          .map(({ urn }) => urn.split("::").at(-1) ?? "")
          .sort();
        expect(restarted).toEqual(restartedOnce[name] ?? []);
        // The components' workloads are among them, so an empty list above says something.
        expect(changes.filter(({ after }) => template(after) !== undefined).length).toBeGreaterThan(0);
      } finally {
        await remove();
      }
    },
  );

  it.each(recorded as RecordedName[])("finds what is secret in %s as ciphertext only", async (name) => {
    const { stack, remove } = await recordedStack(name);
    try {
      const secrets = secretTexts((await stack.exportStack()).deployment);
      expect(secrets.filter((text) => text.includes("PRIVATE KEY"))).not.toEqual([]);
      const state = readFileSync(`test/recorded/${name}/state.json`, "utf8");
      const shown = secrets.filter((text) => state.includes(JSON.stringify(text).slice(1, -1)));
      expect(shown).toEqual([]);
    } finally {
      await remove();
    }
  });
});
