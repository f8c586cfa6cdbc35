/** The environment by which programs reach hosts by name. */
import { type Input, text, whenAllKnown } from "../../kit/input.ts";
import { fileVariables } from "./connect.ts";
import type { EgressPlan } from "./plan.ts";
import { tokenVariable } from "./token.ts";

/** Key of the Secret. */
export const egressTokenKey = "token";

export interface Variable {
  readonly name: string;
  readonly value?: Input<string>;
  readonly valueFrom?: object;
}

/**
 * Variables with values, the kubelet's `$(NAME)` among them: so the token stands in its Secret alone, and in no pod.
 * @param networks that are reached without the proxy, besides hosts and domains
 * @param declared variables that are set already, which stay
 */
export function egressEnvironment(
  { user, proxy, secret, hasFiles, except }: EgressPlan,
  networks: readonly Input<string>[],
  declared: ReadonlySet<string>,
): readonly Variable[] {
  const address = text`http://${user}:$(${tokenVariable})@${proxy}`;
  const noProxy = whenAllKnown([...except, ...networks], (all) => all.join(","));
  const variables = { HTTP_PROXY: address, HTTPS_PROXY: address, NO_PROXY: noProxy };
  const both = Object.entries(variables).flatMap(([name, value]) => [
    { name, value },
    { name: name.toLowerCase(), value },
  ]);
  const all: Variable[] = [
    { name: tokenVariable, valueFrom: { secretKeyRef: { name: secret, key: egressTokenKey } } },
    ...both,
    // Node.js heeds the others only so, from 24 on.
    { name: "NODE_USE_ENV_PROXY", value: "1" },
    // git asks without a login first, which would be a refusal in the log.
    { name: "GIT_HTTP_PROXY_AUTHMETHOD", value: "basic" },
    ...(hasFiles ? fileVariables : []),
  ];
  return all.filter(({ name }) => !declared.has(name));
}
