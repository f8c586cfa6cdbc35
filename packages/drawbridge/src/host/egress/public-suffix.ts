/** Wildcards over names that anybody can have: what publicsuffix.org lists. */
import { parse } from "tldts";

/**
 * Whose names a wildcard stands for: those that anybody registers (`*.co.uk`), or those that a provider gives each of its
 * customers (`*.github.io`). Undefined where all are one owner's, and for what is no wildcard.
 */
export function openTo(host: string): "registrants" | "customers" | undefined {
  const [, name] = /^\*\.([^:]+)/.exec(host) ?? [];
  if (name === undefined) return undefined;
  // With a rule such as *.ck each name below is a suffix itself.
  for (const text of [name, `a.${name}`]) {
    const { publicSuffix, isIcann, isPrivate } = parse(text, { allowPrivateDomains: true });
    if (publicSuffix !== text) continue;
    if (isIcann) return "registrants";
    if (isPrivate) return "customers";
  }
  return undefined;
}

/** What is said of a wildcard for registrants. */
export const ofRegistry = "is every name of a registry, which anybody can have; name the domains below it";
