import type { Placed } from "./placed.ts";

/** What every Kubernetes object begins with. */
export interface Metadata {
  readonly name: Placed<string>;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, Placed<string>>>;
}

/** A Kubernetes object as a builder makes it: plain data, with placed values at some leaves. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly [section: string]: unknown;
}

/** `object` without its undefined values, so that a manifest never holds a key that means nothing. */
export function compact<T extends object>(object: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as never;
}

/** A list or an object that holds something. */
export function ifAny<T extends object>(value: T): T | undefined {
  return Object.keys(value).length > 0 ? value : undefined;
}

/** Pulumi's provider waits for this object's readiness unless it carries this annotation. */
export const skipAwait = { "pulumi.com/skipAwait": "true" } as const;
