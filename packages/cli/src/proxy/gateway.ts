/** Where the CONNECT port is and how it is spoken to. */
import { readFileSync } from "node:fs";
import { CliError, ExitCode } from "../cli-error.ts";
import type { ConnectVia } from "./via.ts";

export interface Gateway {
  readonly address: string;
  readonly port: number;
  /** Absent for a plain connection. */
  readonly tls?: GatewayTls;
}

export interface GatewayTls {
  /** The name that the certificate must bear, also sent as SNI. */
  readonly serverName: string;
  /** PEM text of the authorities to trust. @default the system's */
  readonly ca?: string;
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
