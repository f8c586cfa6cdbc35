/** What a container may reach by name, with everything decided. */

import { type Input, text } from "../../kit/input.ts";
import { joinName } from "../../kubernetes/names.ts";
import type { EgressByName } from "./args.ts";
import { egressGrantName } from "./contract.ts";
import { egressProxy } from "./gateway.ts";

/** What nobody reaches by a proxy: the pod itself and the cluster. */
export const withoutProxy = ["localhost", "127.0.0.1", ".svc", ".cluster.local"];

export type EgressPlan = NonNullable<ReturnType<typeof planEgress>>;

/** The schema saw to it that there is a gateway where there are hosts. */
export function planEgress(
  name: string,
  namespace: Input<string>,
  { hosts, gateway }: EgressByName,
  hasFiles: boolean,
  except: readonly Input<string>[] = [],
) {
  if (hosts === undefined || gateway === undefined) return undefined;
  return {
    hosts,
    gateway,
    // Who the container says it is; both parts are DNS labels, so the dot is unambiguous.
    user: text`${namespace}.${name}`,
    proxy: egressProxy(gateway),
    // Whether files are mounted: not where one may mount inside.
    hasFiles,
    // Hosts, domains and networks that are reached without the proxy.
    except: [...withoutProxy, ...except],
    // Secret with the token.
    secret: joinName(name, "egress"),
    // ConfigMap, Role and RoleBinding with what the authorizer may know.
    grant: egressGrantName(name),
  };
}
