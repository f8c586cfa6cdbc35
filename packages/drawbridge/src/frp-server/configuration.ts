/** What frps and the authorizer are told, in files that everybody may read. */

import { tomlString } from "../host/frpc/toml.ts";
import { frpsPorts } from "../host/ways/frp.ts";
import { whenSettled } from "../kit/input.ts";
import { configMap } from "../kubernetes/data.ts";
import { compact, type Manifest } from "../kubernetes/manifest.ts";
import type { FrpServerPlan } from "./plan.ts";

/** Where frps's files are mounted. */
export const frpsPaths = {
  configuration: "/etc/drawbridge/frps",
  certificate: "/etc/drawbridge/frps-tls",
} as const;

export const frpsFile = "frps.toml";
export const metricsUser = "drawbridge";

/** The environment variable with the password of frps's metrics. */
export const metricsPasswordVariable = "DRAWBRIDGE_METRICS_PASSWORD";
/** Its key in the Secret. */
export const metricsPasswordKey = "password";

/**
 * frps's configuration in its official TOML. Everybody may read it: frps itself fills in the password of dashboard and
 * metrics, because it reads the file as a Go template. It has no `auth.token`: one token for all would let every holder
 * take every name, so each frpc proves itself to the authorizer instead.
 */
export function frpsToml(): string {
  return `bindPort = ${frpsPorts.server}
tcpmuxHTTPConnectPort = ${frpsPorts.connect}
enablePrometheus = true

[log]
to = "console"
level = "info"
disablePrintColor = true

[webServer]
addr = "0.0.0.0"
port = ${frpsPorts.metrics}
user = ${tomlString(metricsUser)}
password = {{ printf "%q" .Envs.${metricsPasswordVariable} }}

[transport]
# frpc pings every 10 s. Without a ping that the authorizer accepts, frps drops it after this many seconds.
heartbeatTimeout = 30
tcpKeepalive = 60

[transport.tls]
force = true
certFile = "${frpsPaths.certificate}/tls.crt"
keyFile = "${frpsPaths.certificate}/tls.key"

# Asked before each of these; no answer is a refusal.
[[httpPlugins]]
name = "drawbridge"
addr = "http://127.0.0.1:${frpsPorts.authorizer}"
path = "/authorize"
ops = ["Login", "NewProxy", "Ping", "NewUserConn"]
`;
}

/** Where the authorizer finds its file; read anew when it changes, so that no change restarts frps. */
export const unitsPath = "/etc/drawbridge/frp-authorizer";
export const unitsFile = "units.json";

/** What the authorizer is told of single containers, beside the grants that it looks up in their namespaces. */
export function frpUnits(plan: FrpServerPlan): Manifest<"ConfigMap"> {
  const { containers, domain } = plan;
  const file = whenSettled({ containers, domain, limits: limits(plan) }, (known) => {
    const units = known.containers.map(({ namespace, name, ...unit }) => [`${namespace}/${name}`, unit]);
    const whole = compact({
      domainSuffix: known.domain,
      units: Object.fromEntries(units),
      limits: known.limits,
    });
    return `${JSON.stringify(whole, null, 2)}\n`;
  });
  return configMap(plan.names.units, plan, { [unitsFile]: file });
}

/** Nothing where the authorizer's own defaults hold, so that the file of a server that says nothing stays as it was. */
function limits({ connectTls, connectionLimits }: FrpServerPlan) {
  // The gateway hides its clients' addresses, so all of them would be one.
  return connectTls === undefined ? connectionLimits : { perClient: null, perClientAndContainer: null };
}
