/** Where the CONNECT port is and how it is spoken to. */
import { readFile } from "node:fs/promises";
import { CliError, ExitCode } from "../cli-error.ts";

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

/** Reads `http://host:port` or `https://host:port`; the ports default to 80 and 443. */
export function parseGateway(text: string): { secure: boolean; address: string; port: number } {
  const found = /^(https?):\/\/(\[[0-9a-fA-F:.]+\]|[^/:@\s]+)(?::(\d{1,5}))?\/?$/.exec(text);
  const port = Number(found?.[3] ?? (found?.[1] === "https" ? 443 : 80));
  if (found?.[2] === undefined || port < 1 || port > 65535) {
    throw new CliError(
      `${JSON.stringify(text)} is not a gateway; write it like http://ssh.example.com:80 or https://ssh.example.com:443`,
      ExitCode.usage,
    );
  }
  return { secure: found[1] === "https", address: found[2].replace(/^\[|\]$/g, ""), port };
}

/** The options of every command that goes through a gateway. */
export interface GatewayOptions {
  readonly gateway: string;
  readonly "server-name"?: string | undefined;
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** Options and the files they name, put together. */
export async function readGateway(options: GatewayOptions): Promise<Gateway> {
  const { secure, address, port } = parseGateway(options.gateway);
  const { "server-name": serverName = address, ca, cert, key } = options;
  const forTls = [options["server-name"], ca, cert, key].some((value) => value !== undefined);
  if (!secure) {
    if (!forTls) return { address, port };
    throw new CliError(
      `--server-name, --ca, --cert and --key need TLS, but ${options.gateway} is plain; write https:// or leave them out`,
      ExitCode.usage,
    );
  }
  if ((cert === undefined) !== (key === undefined)) {
    throw new CliError("--cert and --key belong together; give both or neither", ExitCode.usage);
  }
  const client =
    cert === undefined || key === undefined
      ? {}
      : { client: { certificate: await readPem("--cert", cert), key: await readPem("--key", key) } };
  return {
    address,
    port,
    tls: { serverName, ...(ca === undefined ? {} : { ca: await readPem("--ca", ca) }), ...client },
  };
}

async function readPem(option: string, file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new CliError(`the file of ${option} cannot be read: ${error.message}`);
  });
  if (text.includes("-----BEGIN ")) return text;
  throw new CliError(
    `the file of ${option}, ${file}, is not in PEM format; it must hold a "-----BEGIN …" block`,
  );
}
