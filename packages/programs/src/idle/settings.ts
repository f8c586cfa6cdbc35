/** What a container's own file says of its sleep, as its StatefulSet carries it: an annotation, every default decided. */

import type { IdleSettings } from "../made/contract.ts";

type Check = (value: unknown) => boolean;

const flag: Check = (value) => typeof value === "boolean";
const text: Check = (value) => typeof value === "string";
const whole =
  (least: number, most: number): Check =>
  (value) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
const listOf =
  (holds: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(holds);
const shaped =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    typeof value === "object" &&
    value !== null &&
    Object.entries(fields).every(([name, holds]) => holds((value as Record<string, unknown>)[name]));

const seconds = whole(0, 100 * 86_400);
const minute = whole(0, 7 * 24 * 60);

/** A field that a later version adds is optional here, for containers whose stacks know nothing of it yet. */
const fields: { readonly [Field in keyof Required<IdleSettings>]: Check } = {
  stopAfter: seconds,
  silentSessions: seconds,
  warning: seconds,
  keepAwake: listOf(
    shaped({
      timeZone: text,
      minutes: listOf((pair) => listOf(minute)(pair) && (pair as unknown[]).length === 2),
    }),
  ),
  wake: (value) => value === "onConnect" || value === "byCommand" || value === "never",
  maxHold: whole(0, 86_400),
  port: whole(1, 65_535),
  running: flag,
  dryRun: flag,
  gateway: text,
  reportEvery: seconds,
  gpuAbovePercent: (value) => value === undefined || whole(0, 100)(value),
};
const areSettings = shaped(fields);

/** Many schedules fit; what is longer would only cost time that is everybody's. */
const longest = 32_768;

/**
 * Reads the annotation, which anybody who deploys may have written. Undefined where it holds no settings: such a container is
 * left alone.
 */
export function parseSettings(annotation: string | undefined): IdleSettings | undefined {
  if (annotation === undefined || annotation.length > longest) return undefined;
  try {
    const value: unknown = JSON.parse(annotation);
    return areSettings(value) ? (value as IdleSettings) : undefined;
  } catch {
    return undefined;
  }
}
