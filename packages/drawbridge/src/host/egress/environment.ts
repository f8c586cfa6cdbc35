/** The environment by which programs reach hosts by name. */
import { type Input, text, whenAllKnown } from "../../kit/input.ts";
import { sshVariable } from "./connect.ts";
import type { EgressPlan } from "./plan.ts";

/** Key of the Secret, and the variable by which the token gets into the others. */
export const egressTokenKey = "token";
const tokenVariable = "DRAWBRIDGE_EGRESS_TOKEN";

export interface Variable {
  readonly name: string;
  readonly value?: Input<string>;
  readonly valueFrom?: object;
}

/** What nobody reaches by a proxy: the pod itself and the cluster. */
export const withoutProxy = ["localhost", "127.0.0.1", ".svc", ".cluster.local"];

/**
 * Variables with values, the kubelet's `$(NAME)` among them: so the token stands in its Secret alone, and in no pod.
 * @param except hosts, domains and networks that are reached without the proxy, besides the cluster's own
 * @param declared variables that are set already, which stay
 */
export function egressEnvironment(
  { user, proxy, secret, hasFiles }: EgressPlan,
  except: readonly Input<string>[],
  declared: ReadonlySet<string>,
): readonly Variable[] {
  const address = text`http://${user}:$(${tokenVariable})@${proxy}`;
  const noProxy = whenAllKnown([...withoutProxy, ...except], (all) => all.join(","));
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
    ...(hasFiles ? [sshVariable] : []),
  ];
  return all.filter(({ name }) => !declared.has(name));
}
