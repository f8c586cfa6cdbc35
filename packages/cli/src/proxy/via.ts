/** Where a way in leads, as the options `--via`, `--port` and those for TLS say it: to a CONNECT port or a pod. */

import { readFileSync } from "node:fs";
import {
  parseSshpodHost,
  type SshpodHost,
  sshpodSuffix,
} from "@drawbridge-iac/drawbridge/src/host/ways/sshpod-host";
import { CliError, ExitCode } from "../faults.ts";

/** An HTTP CONNECT port: of a gateway, or of an frp server. */
export interface ConnectVia {
  readonly kind: "connect";
  readonly text: string;
  readonly secure: boolean;
  readonly address: string;
  readonly port: number;
  /** The name to ask for. @default the host that ssh was given */
  readonly name?: string;
}

/** A pod, over the Kubernetes API. */
export interface SshpodVia {
  readonly kind: "sshpod";
  readonly text: string;
  readonly target: SshpodHost;
}

export type Via = ConnectVia | SshpodVia;

const connectUrl = /^(https?):\/\/(\[[0-9a-fA-F:.]+\]|[^/:@\s]+)(?::(\d{1,5}))?(?:\/([A-Za-z0-9.-]*))?$/;

/** Reads `http://host:port`, `https://host:port`, `http://host:port/name` or `pod--x.namespace--y.sshpod`. */
export function parseVia(text: string): Via {
  if (text.toLowerCase().endsWith(sshpodSuffix)) return { kind: "sshpod", text, target: readHost(text) };
  const [, scheme, host, digits, name] = connectUrl.exec(text) ?? [];
  const secure = scheme === "https";
  const port = Number(digits ?? (secure ? 443 : 80));
  if (host === undefined || port < 1 || port > 65535) {
    throw new CliError(
      `${JSON.stringify(text)} is not a way in; write it like http://ssh.example.com:80, https://ssh.example.com:443 or pod--NAME.namespace--NAMESPACE${sshpodSuffix}`,
      ExitCode.usage,
    );
  }
  const address = host.replace(/^\[|\]$/g, "");
  return { kind: "connect", text, secure, address, port, ...(name ? { name } : {}) };
}

function readHost(host: string): SshpodHost {
  try {
    return parseSshpodHost(host);
  } catch (error) {
    throw new CliError((error as Error).message, ExitCode.usage);
  }
}

/** The value of `--port`. */
export function readPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new CliError(
    `--port ${JSON.stringify(text)} is not a port; give a whole number from 1 to 65535`,
    ExitCode.usage,
  );
}

export interface Gateway {
  readonly address: string;
  readonly port: number;
  /** Absent for a plain connection. */
  readonly tls?: GatewayTls;
}

export interface GatewayTls {
  /** The name that the certificate must bear, also sent as SNI. */
  readonly serverName: string;
  /** PEM texts of the authorities to trust. @default Node's own and the system's */
  readonly ca?: string | string[];
  /** PEM text of the client certificate and its key, for mTLS. */
  readonly client?: { readonly certificate: string; readonly key: string };
}

/** What the options `--server-name`, `--ca`, `--cert` and `--key` say. */
export interface TlsOptions {
  readonly "server-name"?: string | undefined;
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** The CONNECT port of a way, with the files that the options name read in. */
export async function readGateway(via: ConnectVia, options: TlsOptions): Promise<Gateway> {
  const { address, port } = via;
  if (!via.secure) return { address, port };
  const { ca, cert, key } = options;
  // An frp server's certificate is for its address; the option is about the gateway beside it.
  const serverName = via.name === undefined ? (options["server-name"] ?? address) : address;
  if ((cert === undefined) !== (key === undefined)) {
    throw new CliError("--cert and --key belong together; give both or neither", ExitCode.usage);
  }
  const client =
    cert === undefined || key === undefined
      ? {}
      : { client: { certificate: readPem("--cert", cert), key: readPem("--key", key) } };
  return {
    address,
    port,
    tls: { serverName, ...(ca === undefined ? {} : { ca: readPem("--ca", ca) }), ...client },
  };
}

function readPem(option: string, file: string): string {
  const text = readText(option, file);
  if (text.includes("-----BEGIN ")) return text;
  throw new CliError(
    `the file of ${option}, ${file}, is not in PEM format; it must hold a "-----BEGIN …" block`,
  );
}

function readText(option: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new CliError(`the file of ${option} cannot be read: ${(error as Error).message}`);
  }
}
