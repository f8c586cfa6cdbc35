/** How a component's values are made of others that may come later, or that a preview hides. */
import type { Input, Settled } from "./input.ts";

/** Makes a value of others once they are known. */
type Make = <T, U>(of: T, make: (known: Settled<T>) => U) => Input<U>;

/** A constructor has an Output of what is made; the guard makes it of what a preview shows, else has a stand-in. */
export interface Resolve {
  /** Made of secrets, and secret. */
  readonly secret: Make;
  /** Made of secrets, and public: a public key, a hash. */
  readonly derived: Make;
  /** Made of secrets in their order, which no preview keeps, and public: a mark that another value changes. */
  readonly mark: Make;
  /** Made of what is no secret. */
  readonly plain: Make;
}

/** Values of a record as secrets. */
export const secretValues = (
  record: Readonly<Record<string, Input<string>>>,
  { secret }: Resolve,
): Record<string, Input<string>> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, secret(value, (known) => known)]));
