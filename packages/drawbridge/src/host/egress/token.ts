/** What a container proves itself with to the egress gateway, and to nobody else. */
import { hashOf, tokenHash } from "../../kit/crypto.ts";
import { derive } from "../../kit/derivation.ts";
import { type Input, type MakeWhenKnown, text, whenKnown } from "../../kit/input.ts";
import type { Resolve } from "../../kit/resolve.ts";
import { prefix } from "../../kubernetes/labels.ts";
import type { EgressPlan } from "./plan.ts";

/** The variable by which it gets into others, and into files. */
export const tokenVariable = "DRAWBRIDGE_EGRESS_TOKEN";

export const deriveEgressToken = (seed: string, identity: string): string =>
  derive(seed, "egress-token", identity).toString("base64url");

interface Tokened {
  readonly namespace: Input<string>;
  readonly name: string;
  readonly byName?: EgressPlan | undefined;
  readonly hostKey?:
    | { readonly seed?: Input<string> | undefined; readonly privateKey?: Input<string> | undefined }
    | undefined;
}

/** The token, derived from what the host key is made of. */
function tokenOf<R>({ namespace, name, hostKey }: Tokened, when: MakeWhenKnown<string, R>): R {
  const seed = hostKey?.seed ?? (hostKey?.privateKey as Input<string>);
  return when({ seed, identity: text`${namespace}/${name}` }, (known) =>
    deriveEgressToken(known.seed, known.identity),
  );
}

/** The token of a container and its hash. */
export function egressSecrets(plan: Tokened, { secret, derived }: Resolve) {
  if (plan.byName === undefined) return undefined;
  return {
    /** Secret. */
    token: tokenOf(plan, (of, make) => secret(of, make)),
    tokenSha256: tokenOf(plan, (of, make) => derived(of, (known) => tokenHash(make(known)))),
  };
}

/** Annotation of the pod with the mark of the token, which is read at start. */
export const egressAnnotation = `${prefix}/egress-token`;

/** The mark, safe to show. */
export const egressMark = (secrets: EgressSecrets | undefined) =>
  secrets && whenKnown(secrets.tokenSha256, hashOf);

export type EgressSecrets = NonNullable<ReturnType<typeof egressSecrets>>;
