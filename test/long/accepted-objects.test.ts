/**
 * Whatever arguments a schema takes, the API server takes what is made of them: arguments of the trials with values at
 * random, strange ones among them, whose objects are sent to be checked and not kept.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { ArgsError } from "@drawbridge-iac/drawbridge/src/kit/args-error";
import type { Args } from "@drawbridge-iac/drawbridge/src/kit/trials.fixture";
import { isMap, valueAt } from "@drawbridge-iac/drawbridge/src/stacks/yaml";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fewAtOnce } from "../../packages/cli/src/list/few-at-once.ts";
import { edits } from "../../packages/guard/src/model/random-args.fixture.ts";
import { apply, kubectl } from "../../scripts/lib/lab/lab.ts";
import { type Path, placesIn, put } from "../../scripts/lib/trials/edit.ts";
import { made } from "../../scripts/lib/trials/made.fixture.ts";

/** Of Pod Security, by its level. */
const namespaces = { restricted: "team-restricted", privileged: "team-privileged" };
const proxy = spawn("kubectl", ["proxy", "--port=0"], { stdio: ["ignore", "pipe", "inherit"] });
let server: string;
const plurals = new Map<string, string>();

beforeAll(async () => {
  const [said] = (await once(proxy.stdout, "data")) as [Buffer];
  server = `http://${/127\.0\.0\.1:\d+/.exec(`${said}`)?.[0]}`;
  const resources = await kubectl(["api-resources", "--no-headers", "-o", "wide"]);
  for (const line of resources.split("\n")) {
    const [, plural = "", version, namespaced, kind] =
      /^(\S+) .*?(\S*\bv\d\w*) +(true|false) +(\S+) /.exec(line) ?? [];
    plurals.set(`${version} ${kind}`, namespaced === "true" ? `namespaces/@/${plural}` : plural);
  }
  await apply(
    ...Object.entries(namespaces).map(([level, name]) => ({
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name, labels: { "pod-security.kubernetes.io/enforce": level } },
    })),
  );
});
afterAll(async () => {
  await kubectl(["delete", "namespace", ...Object.values(namespaces), "--wait=false"]);
  proxy.kill();
});

const texts = [
  ..." |a|A|0|-1|1e3|007|a.b|a_b|a/b|-a|a-|ä|a b|a\nb|a\tb|$(HOME)|$$|%h|/|/a/../b|//a|*.a.example.com|a:b|a=b|~|true".split(
    "|",
  ),
  ..."1Ki|0Gi|1.5Gi|100m|0.1|1e3Gi|-1Gi|12E|10.0.0.1|10.0.0.1/8|0.0.0.0/0|::/0|2001:DB8::/32|010.0.0.1/32|fd00::1".split(
    "|",
  ),
  ..."example.com/a|Example.com/A|example.com/|RELEASE-v1|2026-01-01|Europe/Berlin|sha256:0|a@sha256:0|http://a|null".split(
    "|",
  ),
  ...[15, 50, 52, 53, 58, 63, 64, 253, 254, 5000].map((length) => "a".repeat(length)),
  "",
];
const numbers = [-1, 0, 1, 2, 22, 1023, 1024, 32_768, 65_535, 65_536, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 0.5];

/** Another value, of the kind of the one that is there. */
function another(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value === "number") return fc.constantFrom(...numbers);
  if (typeof value === "boolean") return fc.constant(!value);
  if (Array.isArray(value))
    return fc.constantFrom<unknown>([], [...value, ...value], value.slice().reverse(), [
      ...value,
      value.at(0),
    ]);
  if (isMap(value)) {
    const [first] = Object.values(value);
    return fc.constantFrom(...texts).map((key) => ({ ...value, [key]: first }));
  }
  return fc.oneof(fc.constantFrom(...texts), fc.string({ unit: "binary", maxLength: 20 }));
}

interface Change {
  readonly path: Path;
  readonly value: unknown;
}
/** What is written out in the words of a pod is not this library's to check. */
const isOthers = (path: Path) =>
  path.some((part) =>
    /^(podTemplate|patches|csi|ephemeral|emptyDir|projected|downwardAPI|.*Probe)$/.test(`${part}`),
  );
const changesOf = (args: Args): fc.Arbitrary<Change> =>
  fc
    .constantFrom(...placesIn(args).filter((path) => !isOthers(path)))
    .chain((path) =>
      fc.option(another(valueAt(args, path)), { nil: undefined, freq: 8 }).map((value) => ({ path, value })),
    );
const drawn = edits().chain(({ kind, after }) =>
  fc.record({
    title: fc.constant(kind),
    args: fc.constant(after as Args),
    changes: placesIn(after).every(isOthers)
      ? fc.constant<Change[]>([])
      : fc.array(changesOf(after), { maxLength: 6 }),
  }),
);

interface Sent {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

/** Without what its admission looks up. */
function podOf({ metadata, spec }: { readonly metadata?: object; readonly spec: object }) {
  const there = { serviceAccountName: undefined, priorityClassName: undefined, runtimeClassName: undefined };
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...metadata, name: "pod" },
    spec: { ...spec, ...there },
  };
}

/** What a component makes, and the pods that controllers would make of it; undefined where its arguments are refused. */
function objectsOf(title: string, args: Args): Sent[] | undefined {
  try {
    const own = Object.values(made(title, args).objects).flatMap((one) =>
      one ? [JSON.parse(JSON.stringify(one.manifest))] : [],
    );
    const pods = own.flatMap(({ spec }) => (spec?.template?.spec ? [podOf(spec.template)] : []));
    const namespace = namespaces[args.root === undefined ? "restricted" : "privileged"];
    // The lab has no cert-manager.
    const sent = [...own, ...pods].filter(({ apiVersion }) => !apiVersion.startsWith("cert-manager.io/"));
    return sent.map((one) => ({ ...one, metadata: { ...one.metadata, namespace } }));
  } catch (error) {
    if (error instanceof ArgsError) return undefined;
    throw error;
  }
}

/** The API server's refusal of an object; undefined if it takes it. */
async function refusal(object: Sent): Promise<string | undefined> {
  const { apiVersion, kind, metadata } = object;
  const { namespace = "", ...cluster } = metadata;
  const plural = plurals.get(`${apiVersion} ${kind}`) ?? expect.fail(`there is no ${apiVersion} ${kind}`);
  const isNamespaced = plural.includes("@");
  const root = apiVersion.includes("/") ? "apis" : "api";
  const path = `${root}/${apiVersion}/${plural.replace("@", namespace)}/${encodeURIComponent(metadata.name)}`;
  const answer = await fetch(
    `${server}/${path}?dryRun=All&fieldValidation=Strict&fieldManager=test&force=true`,
    {
      method: "PATCH",
      headers: { "content-type": "application/apply-patch+yaml" },
      body: JSON.stringify({ ...object, metadata: isNamespaced ? metadata : cluster }),
    },
  );
  const said = await answer.text();
  const { message } = answer.ok ? {} : JSON.parse(said);
  // The lab's Services have IPv4 alone.
  return answer.ok || /IPv6.*not configured/.test(message)
    ? undefined
    : `${kind}: ${answer.status} ${message}`;
}

it("objects of accepted arguments are accepted", async () => {
  const seed = Number(process.env.DRAWBRIDGE_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const begun = performance.now();
  const objects = new Map<string, string>();
  let accepted = 0;
  for (const { title, args, changes } of fc.sample(drawn, { numRuns: 2000, seed })) {
    if (objectsOf(title, args) === undefined) continue;
    // Each change that leaves them valid; so most of what is drawn says something.
    const taken: Change[] = [];
    const last = changes.reduce((before, change) => {
      // As a file has it: what is taken out of a list leaves none.
      const after = JSON.parse(JSON.stringify(put(before, change.path, change.value)));
      if (objectsOf(title, after) === undefined) return before;
      taken.push(change);
      return after;
    }, args);
    accepted += 1;
    const said = taken.map(({ path, value }) => `${path.join(".")}=${JSON.stringify(value)?.slice(0, 80)}`);
    for (const object of objectsOf(title, last) ?? []) {
      const text = JSON.stringify(object);
      if (!objects.has(text)) objects.set(text, `${title} ${said.join(" ")}`);
    }
  }
  const drawnAt = performance.now();
  const found = await fewAtOnce(16, [...objects], async ([text, from]) => {
    const why = await refusal(JSON.parse(text));
    return why && `${from}\n  ${why}`;
  });
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  console.log(
    `${accepted} draws in ${seconds(drawnAt - begun)}, ${objects.size} objects in ${seconds(performance.now() - drawnAt)}, seed ${seed}`,
  );
  expect(accepted).toBeGreaterThan(1000);
  expect(found.filter((one) => one !== undefined)).toEqual([]);
});
