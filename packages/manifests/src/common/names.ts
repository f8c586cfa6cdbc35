import { hashOf } from "./hash.ts";

/**
 * `<base>-<suffix>`, cut to `maximum` characters. A cut name ends in a hash of the whole, so that two long
 * names never meet.
 */
export function joinName(base: string, suffix: string, maximum = 63): string {
  const whole = `${base}-${suffix}`;
  if (whole.length <= maximum) return whole;
  const hash = hashOf(whole, 8);
  return `${base.slice(0, maximum - suffix.length - hash.length - 2).replace(/-+$/, "")}-${hash}-${suffix}`;
}
