import type { KnownFrpcPlan } from "./plan.ts";

/** Where frpc's files are mounted: its configuration, which is no secret, and the token. */
export const frpcPath = "/etc/drawbridge/frpc";
export const frpcFile = "frpc.toml";
export const frpcCaFile = "ca.crt";
export const frpcTokenFile = "token";

/** The variable by which frpc's start hands it the token: frp has a file for `auth.token`, and none for metadata. */
export const frpcTokenVariable = "DRAWBRIDGE_FRP_TOKEN";

/**
 * frpc's configuration in its official TOML. Everybody may read it: frpc itself fills in the token, because it reads the
 * file as a Go template. The token proves this frpc to the authorizer or, without one, to frps.
 * @param sshdPort where sshd listens
 * @param sshdAddress by default that of the same pod
 */
export function frpcToml(
  frpc: Omit<KnownFrpcPlan, "connectPort" | "connectTls">,
  sshdPort: number,
  sshdAddress = "127.0.0.1",
): string {
  const proof = frpc.authorizer === undefined ? "auth.token" : "metadatas.token";
  const trusted =
    frpc.caBundle === undefined
      ? "# frps has no certificate of its own: the connection is encrypted, but frps is not verified.\n"
      : `trustedCaFile = "${frpcPath}/${frpcCaFile}"\nserverName = ${tomlString(frpc.serverName)}\n`;
  return `serverAddr = ${tomlString(frpc.serverAddr)}
serverPort = ${frpc.serverPort}
user = ${tomlString(frpc.user)}
${proof} = {{ printf "%q" .Envs.${frpcTokenVariable} }}
# A server that is away is tried again, not given up.
loginFailExit = false

[log]
to = "console"
level = "info"
disablePrintColor = true

[transport]
# A dead connection is noticed within 30 s, a revoked token within 10 s.
heartbeatInterval = 10
heartbeatTimeout = 30
dialServerTimeout = 5
dialServerKeepalive = 60

[transport.tls]
enable = true
${trusted}
[[proxies]]
name = "ssh"
type = "tcpmux"
multiplexer = "httpconnect"
customDomains = [${tomlString(frpc.hostName)}]
localIP = ${tomlString(sshdAddress)}
localPort = ${sshdPort}
`;
}
/** A TOML basic string: JSON's escapes are TOML's too, but for DEL, which TOML wants escaped. */

export function tomlString(value: string): string {
  return JSON.stringify(value).replace(/\x7f/g, "\\u007f");
}
