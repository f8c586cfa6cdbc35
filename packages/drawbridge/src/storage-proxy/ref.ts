import type { z } from "zod";
import { arg, group } from "../kit/arg.ts";
import { another } from "../kit/guard.ts";
import { versionField } from "../kit/reference.ts";
import { input, oneOf, optionalInput } from "../kit/schema.ts";
import { partLabel, prefix } from "../kubernetes/labels.ts";
import { bracketed } from "../kubernetes/names.ts";
import { dnsLabel, domainName, hostOrAddress, port, serviceName } from "../kubernetes/shapes.ts";

/** How browsers speak to the proxy. */
export const UrlScheme = { http: "http", https: "https" } as const;
export type UrlScheme = (typeof UrlScheme)[keyof typeof UrlScheme];

export const storageProxyRefSchema = group(
  "StorageProxyRefArgs",
  "What a storage must know of the proxy. Names alone, so a team can be previewed before it exists.",
  {
    ...versionField,
    name: arg(input(serviceName), "The proxy's name.", {
      effect: ["opens", "closes"],
      guard: another("network-wall"),
    }),
    namespace: arg(input(dnsLabel), "The proxy's namespace.", {
      effect: ["opens", "closes"],
      guard: another("network-wall"),
    }),
    scheme: arg(input(oneOf(UrlScheme)).default("http"), "How browsers speak to it."),
    port: arg(input(port, "a number").default(80), "Port of its LoadBalancer."),
    dnsName: arg(optionalInput(domainName), "Its DNS name, if it has one."),
    address: arg(
      optionalInput(hostOrAddress),
      "Host name or address of its LoadBalancer, for the address of a storage.",
    ),
  },
  { effect: [] },
);

export type StorageProxyRefParsed = z.output<typeof storageProxyRefSchema>;

/** `http://<host>[:<port>]`, the port only where the scheme does not imply it. */
export function proxyOrigin({ scheme, port }: { scheme: UrlScheme; port: number }, host: string): string {
  const implied = scheme === "https" ? 443 : 80;
  return `${scheme}://${bracketed(host)}${port === implied ? "" : `:${port}`}`;
}

// The rule by which the proxy finds the file servers of storages, and which they keep.

/** A file server's Service is called `<storage>-files`; the proxy knows it by that name alone. */
export const fileServerSuffix = "files";

/** Labels of every file server's pods, of whatever storage. */
export const fileServerPods = { ...partLabel("storage"), [`${prefix}/role`]: "accessor" } as const;

/** Port of a file server's Service. */
export const fileServerPort = 5000;
