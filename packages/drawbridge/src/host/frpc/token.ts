/** What a frpc proves itself with. */
import { tokenHash } from "../../kit/crypto.ts";
import { derive } from "../../kit/derivation.ts";
import { type Input, type MakeWhenKnown, text } from "../../kit/input.ts";
import type { Resolve } from "../../kit/resolve.ts";
import type { FrpcSecrets } from "./objects.ts";

/**
 * What one container's frpc proves itself with.
 * @param seed secret of the container's stack
 * @param identity `<namespace>/<name>`
 */
export function deriveFrpToken(seed: string, identity: string): string {
  return derive(seed, "frp-token", identity).toString("base64url");
}

/** Whose frpc it is, with its token or what that is derived from; the schema makes sure of one of the two. */
export interface Tokened {
  readonly namespace: Input<string>;
  readonly name: string;
  readonly frpc?: { readonly token?: Input<string> | undefined } | undefined;
  readonly hostKey?: { readonly seed?: Input<string> | undefined } | undefined;
}

/** The token of a host's frpc, given or derived from the host's seed. */
export function frpTokenOf<R>(
  { namespace, name, frpc, hostKey }: Tokened,
  when: MakeWhenKnown<string, R>,
): R {
  const token = frpc?.token;
  if (token !== undefined) return when(token, (known) => known as string);
  const of = { seed: hostKey?.seed as Input<string>, identity: text`${namespace}/${name}` };
  return when(of, (known) => deriveFrpToken(known.seed, known.identity));
}

/** The token of a host's frpc, and its hash. */
export function frpcSecrets(plan: Tokened, { secret, derived }: Resolve): FrpcSecrets | undefined {
  if (plan.frpc === undefined) return undefined;
  return {
    token: frpTokenOf(plan, (of, make) => secret(of, make)),
    tokenSha256: frpTokenOf(plan, (of, make) => derived(of, (known) => tokenHash(make(known)))),
  };
}
