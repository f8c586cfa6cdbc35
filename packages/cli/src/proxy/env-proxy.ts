/** The HTTP proxy that this computer's environment names for an address: `HTTPS_PROXY`, `NO_PROXY` and their kin. */
import net from "node:net";
import { Step, WayError } from "../faults.ts";

export type Scheme = "http" | "https";

export interface HttpProxy {
  /** Host and port, without what else the variable holds: that may be a password. */
  readonly text: string;
  readonly variable: string;
  readonly secure: boolean;
  readonly address: string;
  readonly port: number;
  /** The value of `Proxy-Authorization`. */
  readonly credentials: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined for an address that is reached directly, such as this computer's own. */
export function proxyFor(
  scheme: Scheme,
  address: string,
  port: number,
  env: Environment = process.env,
): HttpProxy | undefined {
  const found = firstOf(env, `${scheme}_proxy`, "all_proxy");
  if (found === undefined || isDirect(address.toLowerCase(), port, firstOf(env, "no_proxy")?.value ?? ""))
    return undefined;
  return read(found);
}

/** The first that is set and not empty, in capitals or not. */
function firstOf(env: Environment, ...names: readonly string[]) {
  const variables = names.flatMap((name) => [name.toUpperCase(), name]);
  return variables
    .map((variable) => ({ variable, value: env[variable] ?? "" }))
    .find(({ value }) => value !== "");
}

function read({ variable, value }: { readonly variable: string; readonly value: string }): HttpProxy {
  const url = URL.parse(/^[\w+.-]+:\/\//.test(value) ? value : `http://${value}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "") {
    throw new WayError(
      Step.tcp,
      `${variable} names no HTTP proxy; write it like http://proxy.example.com:3128 (SOCKS is not supported), or name what is reached without one in NO_PROXY`,
    );
  }
  const secure = url.protocol === "https:";
  const port = Number(url.port || (secure ? 443 : 80));
  const login = [url.username, url.password].map(decoded).join(":");
  const credentials = login === ":" ? undefined : `Basic ${Buffer.from(login).toString("base64")}`;
  const address = url.hostname.replace(/^\[|\]$/g, "");
  return { text: `${url.hostname}:${port}`, variable, secure, address, port, credentials };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** As Go's programs read it: names with their subdomains, addresses, networks, each with a port or without; `*` for all. */
function isDirect(host: string, port: number, noProxy: string): boolean {
  if (
    host === "localhost" ||
    host.endsWith(".localhost") ||
    isWithin(host, "127.0.0.0/8") ||
    isWithin(host, "::1/128")
  )
    return true;
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      if (entry === "*" || isWithin(host, entry)) return true;
      const [, name = "", only] =
        /^\[?(.*?)\]?(?::(\d+))?$/.exec(net.isIPv6(entry) ? `[${entry}]` : entry) ?? [];
      if (only !== undefined && Number(only) !== port) return false;
      const domain = name.replace(/^\*?\./, "");
      return (
        (host === domain && domain === name) || host.endsWith(`.${domain}`) || isWithin(host, `${name}/`)
      );
    });
}

/** Whether an address is in a network; a network without a length is one address. */
function isWithin(host: string, network: string): boolean {
  const [address = "", length] = network.split("/");
  const family = net.isIP(address);
  if (net.isIP(host) === 0 || family === 0 || length === undefined) return false;
  const bits = length === "" ? (family === 4 ? 32 : 128) : Number(length);
  if (!Number.isInteger(bits) || bits < 0 || bits > (family === 4 ? 32 : 128)) return false;
  const list = new net.BlockList();
  list.addSubnet(address, bits, family === 4 ? "ipv4" : "ipv6");
  return list.check(host, net.isIP(host) === 4 ? "ipv4" : "ipv6");
}
