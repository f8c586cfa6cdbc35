/**
 * Arguments that come later, each once, in the place of what was there: what the guard judges is refused while a preview
 * hides it, and nothing else, so that a program may hand over whatever it has.
 */
import { isSecretPlace } from "@drawbridge-iac/drawbridge/src/kit/secret-places";
import { registry } from "@drawbridge-iac/drawbridge/src/registry";
import { expect, it } from "vitest";
import { placesIn, put } from "../../../../scripts/lib/trials/edit.ts";
import type { Title } from "../../../../scripts/lib/trials/index.ts";
import { everyArgument, schemaOf } from "../../../../test/support/engine/every-argument.ts";
import { judge } from "../guard.ts";
import { withStandIns } from "../ours/stand-in.ts";
import { edited, today, whole } from "../sample.fixture.ts";
import { unknownText } from "../values.ts";
import { argumentChanges } from "./rows.ts";

/** Below a wall, and nobody's way through it. */
const harmless: Readonly<Record<string, RegExp>> = {
  "when a container sleeps; who may stop it is plain": /^DevContainer idle\./,
  "judged where the template is put": /^InjectedSshd podTemplate/,
  "runs with another revision alone, which is plain": /^StorageAccessor prepare\.(?!copyFrom(\.claimName)?$)/,
  "certificates name somebody only with a CA (logins.ts)": /^(DevContainer|InjectedSshd) user\.name$/,
};

/** Refused although no row says so: what would be lost or read is not known. */
const losses: Readonly<Record<string, RegExp>> = {
  "a host key is lost": /^(DevContainer|InjectedSshd) (namespace|hostKey\.(seed|privateKey|generation))$/,
  "sessions end with a listener": /^SshGateway listeners\.tls\.(port|certificate\.secretName)$/,
  "the ref of something else": / ((access|egress)\.gateway|access\.frp\.server|browse\.proxy)$/,
  "whose Secret it is": /^(DevContainer|SshRoute|StorageAccessor) pod.imagePullSecrets$/,
  "where data lies": /^StorageAccessor namespace$/,
};

const listedIn = (table: Readonly<Record<string, RegExp>>, one: string) =>
  Object.values(table).some((pattern) => pattern.test(one));

/** Every place that takes an Output, once, with its arguments before and after. */
const edits = new Map(
  everyArgument().flatMap(({ kind, name, args }) => {
    const before = JSON.parse(JSON.stringify(args).replaceAll(name, "it"));
    return placesIn(before)
      .filter((path) => !isSecretPlace(schemaOf(kind), path))
      .map((path) => ({ kind, before, after: put(before, path, unknownText), path }))
      .filter(({ after }) => schemaOf(kind).safeParse(withStandIns(after)).success)
      .map((edit) => [
        `${kind} ${edit.path.map((part) => (typeof part === "number" ? "[]" : part)).join(".")}`,
        edit,
      ]);
  }) as [string, { kind: Title; before: object; after: Record<string, unknown> }][],
);

it("refuses what it judges, and nothing else", { timeout: 300_000 }, () => {
  expect(edits.size).toBeGreaterThan(800);
  const wrong = [...edits].flatMap(([place, { kind, before, after }]) => {
    const { refused, unjudged } = judge(whole(edited(kind, "it", before as never, after)), [], today);
    const isRefused = refused.length + unjudged.length > 0;
    const args = registry.find(({ title }) => title === kind)?.args ?? expect.fail(kind);
    const isWalled = argumentChanges(args, before, after).some(({ wall }) => wall !== undefined);
    const isExpected = isWalled ? !listedIn(harmless, place) : listedIn(losses, place);
    return isRefused === isExpected ? [] : [`${place} is ${isRefused ? "refused" : "let through"}`];
  });
  expect(wrong).toEqual([]);
});
