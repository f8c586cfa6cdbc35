/** Compile-time: the interfaces that are made describe the same arguments as the types of the schemas they are made of. */

import type { z } from "zod";
import type { ComponentArgs } from "./generated/component-args.ts";
import type { registry } from "./registry.ts";

/** Every path to a key, through plain objects and arrays; values that may be Outputs are leaves. */
type Paths<T> = T extends readonly (infer E)[]
  ? `[]${Paths<E>}`
  : T extends { apply: unknown } | PromiseLike<unknown>
    ? never
    : T extends object
      ? string extends keyof T
        ? ""
        : {
            [K in keyof T &
              string]-?: `.${K}${undefined extends T[K] ? "?" : ""}${Paths<Exclude<T[K], undefined>> | ""}`;
          }[keyof T & string]
      : "";

type Same<A, B> = [A] extends [B]
  ? [B] extends [A]
    ? true
    : { missing: Exclude<B, A> }
  : { extra: Exclude<A, B> };
type Pinned<Args, Schema extends z.ZodType, Input = z.input<Schema>> = Args extends Input
  ? Same<Paths<Args>, Paths<Input>>
  : { notAssignable: Args };

type Described = (typeof registry)[number];
type Differing = {
  [Title in Described["title"]]: Pinned<
    ComponentArgs[Title],
    Extract<Described, { readonly title: Title }>["args"]
  > extends true
    ? never
    : Pinned<ComponentArgs[Title], Extract<Described, { readonly title: Title }>["args"]>;
};

/** Of each component what differs: nothing. */
export const pinned: {
  readonly [Title in Described["title"]]: [Differing[Title]] extends [never] ? true : Differing[Title];
}[Described["title"]] = true;
