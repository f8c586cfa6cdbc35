import { frpsPorts } from "./plan.ts";
import { tomlString } from "./toml.ts";

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
