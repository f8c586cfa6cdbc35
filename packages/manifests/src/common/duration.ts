/** Lengths of time that may be seconds or days: a text with its unit, as Kubernetes and Prometheus write them. */
import { z } from "zod";
import { says } from "./fault.ts";

const units = { s: 1, m: 60, h: 3600, d: 86_400 } as const;
type Unit = keyof typeof units;

/** The seconds of a text like "90m"; undefined if it is none. */
export function durationSeconds(text: string): number | undefined {
  const [, number, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  return number === undefined ? undefined : Number(number) * units[unit as Unit];
}

/** A length of time between two others, both written like it. */
export function duration(minimum: string, maximum: string) {
  const within = (value: string) => {
    const seconds = durationSeconds(value);
    return (
      seconds !== undefined &&
      seconds >= (durationSeconds(minimum) ?? 0) &&
      seconds <= (durationSeconds(maximum) ?? Number.POSITIVE_INFINITY)
    );
  };
  return z.string().refine(within, says("not-a-duration", { minimum, maximum }));
}
