import { configMap } from "../common/data.ts";
import { compact, type Manifest } from "../common/manifest.ts";
import { whenAllKnown } from "../common/placed.ts";
import type { FrpServerPlan } from "./plan.ts";

/** Where the authorizer finds its file; read anew when it changes, so that no change restarts frps. */
export const unitsPath = "/etc/drawbridge/frp-authorizer";
export const unitsFile = "units.json";

/** What the authorizer is told of single containers, beside the grants that it looks up in their namespaces. */
export function frpUnits(plan: FrpServerPlan): Manifest<"ConfigMap"> {
  const namespaces = plan.containers.map(({ namespace }) => namespace);
  const file = whenAllKnown([plan.domain, ...namespaces], ([domainSuffix, ...known]) => {
    const units = plan.containers.map(({ namespace: _, name, ...unit }, at) => [
      `${known[at]}/${name}`,
      unit,
    ]);
    const whole = compact({ domainSuffix, units: Object.fromEntries(units), limits: limits(plan) });
    return `${JSON.stringify(whole, null, 2)}\n`;
  });
  return configMap(plan.names.units, plan, { [unitsFile]: file });
}

/** Nothing where the authorizer's own defaults hold, so that the file of a server that says nothing stays as it was. */
function limits({ connectTls, connectionLimits }: FrpServerPlan) {
  // The gateway hides its clients' addresses, so all of them would be one.
  return connectTls === undefined ? connectionLimits : { perClient: null, perClientAndContainer: null };
}
