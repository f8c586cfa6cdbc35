/** Effects of a change on access. */
import { hashOf } from "@drawbridge-iac/drawbridge/src/kit/crypto";
import type { AccessRule } from "@drawbridge-iac/drawbridge/src/kit/guard";

/** What has to be so for a change to be judged. */
export const unjudgedRules = {
  "unknown-value": "a value that decides on access is known at preview",
  "unknown-kind": "the guard knows what an object of this kind gives",
  "unknown-field": "the guard knows what this field gives",
} as const;

export type UnjudgedRule = keyof typeof unjudgedRules;

export type Effect =
  /** Everyday work, which is reported. */
  | { readonly effect: "gains" | "loses"; readonly text: string }
  /** Crosses a boundary, and is refused: one of `accessRules` (kit/guard.ts of the library), or a rule about losses (rules.ts). */
  | { readonly effect: "crosses"; readonly rule: string; readonly text: string }
  /** Cannot be judged. */
  | { readonly effect: "unknown"; readonly rule: UnjudgedRule; readonly text: string };

export const gains = (text: string): Effect => ({ effect: "gains", text });
export const loses = (text: string): Effect => ({ effect: "loses", text });
export const crosses = (rule: AccessRule, text: string): Effect => ({ effect: "crosses", rule, text });
export const unknown = (rule: UnjudgedRule, text: string): Effect => ({ effect: "unknown", rule, text });

/** A value's hash, so long that no search finds a second value for it. */
export const printOf = (value: unknown): string => hashOf(value ?? null, 40);

/** Adds a hash of the new value to a text that does not show it, so that an acceptance is for this value only. */
export const exactly = (text: string, value: unknown) => `${text} (${printOf(value)})`;
