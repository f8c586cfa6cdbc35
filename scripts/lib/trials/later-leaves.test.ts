/**
 * Arguments that come later, of every component: what is made of them once they are known is what is made of plain ones; and
 * while they are not, everything else is known already, which objects there are above all.
 */

import { type Input, isDeferred } from "@drawbridge-iac/drawbridge/src/kit/input";
import type { Args } from "@drawbridge-iac/drawbridge/src/kit/trials.fixture";
import { valueAt } from "@drawbridge-iac/drawbridge/src/stacks/yaml";
import fc from "fast-check";
import { expect, it } from "vitest";
import { edited, type Path, placesIn, put } from "./edit.ts";
import { tried } from "./index.ts";
import { componentOf, made } from "./made.fixture.ts";

class Output {
  readonly __pulumiOutput = true;
}

/** An Output that is known at once, or never. */
function later<T>(value: T, isKnown: boolean): Input<T> {
  const apply = (make: (known: T) => unknown) => {
    if (!isKnown) return later(undefined, false);
    const made = make(value);
    return isDeferred(made) ? made : later(made, true);
  };
  const output = Object.assign(new Output(), { value, isKnown, apply });
  // Pulumi's lifts its fields.
  return new Proxy(output, {
    get: (target, key) =>
      Reflect.has(target, key) || key === "then" || typeof key === "symbol"
        ? Reflect.get(target, key)
        : apply((known) => (known as Record<string, unknown> | undefined)?.[key]),
  }) as unknown as Input<T>;
}

const unknown = "(unknown)";

/** What Pulumi's provider sees. */
function seen(value: unknown): unknown {
  if (isDeferred(value)) {
    const { isKnown, value: inner } = value as unknown as { isKnown: boolean; value: unknown };
    return isKnown ? seen(inner) : unknown;
  }
  if (Array.isArray(value)) return value.map(seen);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, seen(inner)] as const);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
}

interface Instance {
  readonly title: string;
  readonly args: Args;
}

const instances: readonly Instance[] = [...tried].flatMap(([title, { trials, parts = {}, base }]) =>
  Object.entries({ ...trials, ...parts }).map(([path, trial]): Instance => {
    const { after } = edited(path, trial, base("it"));
    return { title, args: JSON.parse(JSON.stringify(after)) };
  }),
);

/** A component's objects and its pod template, with all that Pulumi is told of them. */
function seenOf({ title, args }: Instance): unknown {
  const { objects, template } = made(title, args);
  return seen({ ...objects, "pod template": template });
}

const withLater = ({ title, args }: Instance, path: Path, isKnown: boolean): Instance => ({
  title,
  args: put(args, path, later(valueAt(args, path), isKnown)),
});

/** A list that comes later and is empty lets nobody in, where a plain one means all (`later-lists.test.ts`). */
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

/** The places of the arguments, whole lists and groups among them, that take an Output. */
const takers = instances.map((instance) => ({
  instance,
  places: placesIn(instance.args).filter(
    (path) =>
      !isEmptyList(valueAt(instance.args, path)) &&
      componentOf(instance.title).args.safeParse(withLater(instance, path, false).args).success,
  ),
}));

/** An instance and some of its places, none within another. */
const some = fc
  .constantFrom(...takers.filter(({ places }) => places.length > 0))
  .chain(({ instance, places }) =>
    fc.record({
      instance: fc.constant(instance),
      places: fc.subarray(places, { minLength: 1 }).map((all) => {
        const within = (one: Path, other: Path) =>
          one !== other && one.every((part, at) => part === other[at]);
        return all.filter((place) => !all.some((other) => within(other, place)));
      }),
    }),
  );

it("what comes later and is known makes the same objects", () => {
  fc.assert(
    fc.property(some, ({ instance, places }) => {
      const known = places.reduce((one, place) => withLater(one, place, true), instance);
      expect(seenOf(known)).toEqual(seenOf(instance));
    }),
    { numRuns: 400 },
  );
});

it("what comes later and is not known leaves all else as it is", () => {
  fc.assert(
    fc.property(some, ({ instance, places }) => {
      const hidden = places.reduce((one, place) => withLater(one, place, false), instance);
      expect(differences(seenOf(hidden), seenOf(instance))).toEqual([]);
    }),
    { numRuns: 400 },
  );
});

/** Where two differ although nothing is hidden there. */
function differences(one: unknown, other: unknown, at = ""): string[] {
  if (one === unknown || typeof one === "string") return isSeenAs(one, other) ? [] : [at];
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return one === other ? [] : [at];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].flatMap((key) =>
    differences(one[key as never], other[key as never], `${at}.${key}`),
  );
}

const isSeenAs = (one: string, other: unknown) => one === unknown || one === other;

/** A place that is hidden, below an object's key. */
interface Mask {
  readonly at: string;
  /** What stands there otherwise. */
  readonly plain: unknown;
}

function masksIn(one: unknown, other: unknown, at = ""): Mask[] {
  if (typeof one === "string" && one.includes(unknown)) return [{ at: at.slice(1), plain: other }];
  if (typeof one !== "object" || one === null) return [];
  return Object.entries(one).flatMap(([key, inner]) =>
    masksIn(inner, (other as never)?.[key as never], key === "manifest" ? at : `${at}.${key}`),
  );
}

/** What is made of an argument and does not have its text in it. */
const makings: readonly [argument: RegExp, leaf: RegExp][] = [
  // Keys and hashes.
  [/^(DevContainer|InjectedSshd) (namespace|hostKey\.)/, /\/(public-keys|host-keys|secret-env)$/],
  [/^DevContainer .*secretEnv\.TOKEN$/, /\/secret-env$/],
  [/^(DevContainer|InjectedSshd) (namespace|hostKey\.seed|access\.frp\.token)$/, /\.tokenSha256$/],
  [/^SshRoute access\.frp\.token$/, /\.tokenSha256$/],
  [/^SshRoute (namespace|serviceName|access\.frp\.)/, /\/frpc$/],
  [/^FrpServer (seed|namespace|tls\.caBundle)$/, /\/frps-certificate$/],
  [/^StorageAccessor browse\.credentials\.0\.password$/, /\/credentials$/],
  [/^StorageAccessor (namespace|browse\.jwt\.)/, /\/token-check$/],
  [/^StorageProxy namespace$/, /\/config$/],
  // Half of the memory.
  [/^DevContainer resources\.(limits\.)?memory$/, /emptyDir\.sizeLimit$/],
  // Texts in another form: a pattern, JSON, an identity without its scheme.
  [/^(DevContainer|InjectedSshd|SshRoute) access\.allowIdentities/, /x-forwarded-client-cert\.regex$/],
  [/^SshGateway domain$/, /validations\.\d\.expression$/],
  [/^StorageAccessor browse\.jwt\.jwks$/, /envoy\.json$/],
  [/^SshGateway allowIdentities(\.\d)?$/, /spec\.rules(\.0\.from\.0\.source\.principals\.\d)?$/],
  // Whether pods must share a node.
  [/^DevContainer mounts\.0\.storage$/, /\.affinity$/],
  [/^StorageAccessor prepare\.copyFrom(\.accessMode)?$/, /(\.affinity|\/node-group)$/],
  // A network is in the list of its own protocol, and which that is, is not known either.
  [/^(DevContainer|EgressGateway) egress\.deny(\.0)?$/, /ipBlock\.except$/],
  [/^Team outsideHosts\.vm1\.address$/, /addressType$/],
  // What of sshd is read at its start.
  [/^(DevContainer|InjectedSshd) (ssh\.|user\.|startupScript)/, /\/sshd-config$/],
  [/^DevContainer idle\./, /\/idle$|idle\.conf$/],
  [/^StorageAccessor browse\.credentials\.0\./, /\/credentials$/],
  [/^StorageProxy (port|dnsName)$/, /\/config$/],
  // Whether a list has one item more, or a field is there.
  [/\.port$|^StorageProxy port$/, /securityContext\.sysctls$/],
  [/^DevContainer pod\.eviction$/, /maxUnavailable$|safe-to-evict$|do-not-disrupt$/],
  [/^DevContainer pod\.stopWarningSeconds$/, /\.lifecycle$/],
  [/ loadBalancer\.scope$/, /^load-balancer\.metadata\.annotations$/],
  [/^SshGateway egress\.teamPods$/, /\.egress\.0\.to$/],
  [/^SshGateway (audit|rejectEarlyConnectData|connectionLimits\.)/, /\.configPatches$/],
  [/^StorageAccessor browse\.(actions|.*\.write$)/, /containers\.\d\.(args|volumeMounts\.0\.readOnly)$/],
  [/^FrpServer (server|connect)Port$/, /^service\.spec\.ports$/],
  // Some seconds more.
  [/ drainSeconds$/, /terminationGracePeriodSeconds$/],
  // A template is an output as a whole.
  [/^InjectedSshd podTemplate/, /^pod template$/],
  // The labels of the gateway's pods, which are its own or others.
  [/^(DevContainer|InjectedSshd|SshRoute) access\.gateway$/, /podSelector\.matchLabels$/],
];

/** Whether what is masked is a leaf that holds the argument. */
function holds(argument: string, value: unknown, { at, plain }: Mask): boolean {
  if (makings.some(([of, leaf]) => of.test(argument) && leaf.test(at))) return true;
  const parts = textsOf(value);
  if (!isTree(plain)) return parts.some((part) => String(plain).includes(part)) || parts.length === 0;
  // How long a list is that comes later as a whole is not known, so it is the list in which it stands.
  const all = textsOf(plain);
  if (Array.isArray(value)) return Array.isArray(plain) && parts.every((part) => all.includes(part));
  return isTree(value) && all.every((text) => parts.includes(text));
}

const isTree = (value: unknown) => typeof value === "object" && value !== null;
const textsOf = (value: unknown): string[] =>
  isTree(value) ? Object.values(value as object).flatMap(textsOf) : [String(value)];

const titleOf = ({ title }: Instance, path: Path) => `${title} ${path.join(".")}`;

/** All data of a Secret is hidden as a whole. */
const isData = ({ at }: Mask) =>
  /^(env|host-key|frp-token|certificate|metrics|credentials|prepare-env|client-ca)\.data\./.test(at);

it("what comes later and is not known hides the leaves that hold it", { timeout: 120_000 }, () => {
  const tried = new Set<string>();
  const wrong = takers.flatMap(({ instance, places }) => {
    const plain = seenOf(instance);
    return places.flatMap((path) => {
      const place = titleOf(instance, path);
      if (tried.has(place)) return [];
      tried.add(place);
      const value = valueAt(instance.args, path);
      return masksIn(seenOf(withLater(instance, path, false)), plain)
        .filter((mask) => !isData(mask) && !holds(place, value, mask))
        .map(({ at, plain: was }) => `${place} hides ${at}: ${JSON.stringify(was)}`);
    });
  });
  expect(tried.size).toBeGreaterThan(800);
  expect(wrong).toEqual([]);
});
