/**
 * Readers of what others wrote: each takes any value, and gives it as it is expected or throws what is wrong where. What no
 * reader names is neither kept nor looked at, however big.
 */

/** The sentence holds nothing of the value, which may be long, or a secret. */
export class Unreadable extends Error {}

export type Read<T> = (value: unknown, at: string) => T;

const expected = <T>(what: string, is: (value: unknown) => boolean): Read<T> => {
  return (value, at) => {
    if (!is(value)) throw new Unreadable(`${at} is not ${what}`);
    return value as T;
  };
};

/** Any value, which another reader checks. */
export const anything: Read<unknown> = (value) => value;

export const flag = expected<boolean>("true or false", (value) => typeof value === "boolean");

export const whole = (least: number, most: number) =>
  expected<number>(
    `a whole number from ${least} to ${most}`,
    (value) => Number.isInteger(value) && Number(value) >= least && Number(value) <= most,
  );

export const oneOf = <T extends string>(...allowed: readonly T[]) =>
  expected<T>(`one of ${allowed.join(", ")}`, (value) => allowed.includes(value as T));

/** A text that is short enough to be one, and passes the test. */
export const text = (what: string, holds: (value: string) => boolean = () => true, longest = 253) =>
  expected<string>(what, (value) => typeof value === "string" && value.length <= longest && holds(value));

/** What is only shown to people: any text, the beginning of a long one. */
export const words: Read<string> = (value, at) =>
  text("a text", undefined, Number.POSITIVE_INFINITY)(value, at).slice(0, 1000);

/** As Kubernetes writes times; in milliseconds. */
export const time: Read<number> = (value, at) =>
  Date.parse(
    text("a time", (given) => /^\d{4}-\d\d-\d\dT/.test(given) && Date.parse(given) > 0, 40)(value, at),
  );

/** A name in a path of the API. */
export const objectName = text("a name", (value) => /^[a-z0-9]([-.a-z0-9]*[a-z0-9])?$/.test(value));

/** What may be left out; null is that too, as it is for the API server. */
export const maybe =
  <T>(read: Read<T>): Read<T | undefined> =>
  (value, at) =>
    value === undefined || value === null ? undefined : read(value, at);

export const list =
  <T>(read: Read<T>, most: number): Read<readonly T[]> =>
  (value, at) => {
    if (!Array.isArray(value) || value.length > most) {
      throw new Unreadable(`${at} is not a list of at most ${most}`);
    }
    return value.map((each, index) => read(each, `${at}[${index}]`));
  };

type Fields = Readonly<Record<string, Read<unknown>>>;
type OptionalNames<F extends Fields> = {
  [N in keyof F]: undefined extends ReturnType<F[N]> ? N : never;
}[keyof F];
/** Optional fields are absent and not undefined, so that they can be spread over defaults. */
type Given<F extends Fields> = { readonly [N in Exclude<keyof F, OptionalNames<F>>]: ReturnType<F[N]> } & {
  readonly [N in OptionalNames<F>]?: Exclude<ReturnType<F[N]>, undefined>;
};

/** An object of these fields; of others nothing is kept. */
export const record =
  <F extends Fields>(fields: F): Read<Given<F>> =>
  (value, at) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new Unreadable(`${at || "it"} is not an object`);
    }
    const read: [string, unknown][] = [];
    for (const [name, field] of Object.entries(fields)) {
      const own = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
      const given = field(own, at === "" ? name : `${at}.${name}`);
      if (given !== undefined) read.push([name, given]);
    }
    return Object.fromEntries(read) as Given<F>;
  };
