/** Arguments that a pod gets as they are. */
import type { z } from "zod";
import { argTexts } from "../kit/arg.ts";
import { isPlainObject } from "../kit/schema.ts";
import type { Container, PodSpec } from "./kinds.ts";
import { compact, ifAny } from "./manifest.ts";

/** The values of a group whose rows say that this part of a pod gets them; what is empty is left out. */
export function passedOn<To extends keyof Parts>(to: To, { shape }: z.ZodObject, values: object): Parts[To] {
  const passed = Object.entries(values).filter(
    ([name]) => shape[name] !== undefined && argTexts.get(shape[name])?.passedTo === to,
  );
  return compact(Object.fromEntries(passed.map(([name, value]) => [name, unlessEmpty(value)])));
}

interface Parts {
  readonly pod: Partial<PodSpec>;
  readonly container: Partial<Container>;
}

const unlessEmpty = (value: unknown) => (Array.isArray(value) || isPlainObject(value) ? ifAny(value) : value);
