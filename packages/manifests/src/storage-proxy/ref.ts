/** What a storage needs to know of the proxy: plain names, so a team can preview before it exists. */
import type { z } from "zod";
import { bracketed } from "../common/address.ts";
import { arg, group } from "../common/arg.ts";
import { across, oneOf, placed } from "../common/schema.ts";
import { dnsLabel, domainName, hostOrAddress, port, serviceName } from "../common/shapes.ts";
import { hostFault, StorageProxyMode } from "./args.ts";

/** How browsers speak to the proxy. */
export const UrlScheme = { http: "http", https: "https" } as const;
export type UrlScheme = (typeof UrlScheme)[keyof typeof UrlScheme];

export const storageProxyRefSchema = across(
  group(
    "StorageProxyRefArgs",
    "What a storage must know of the proxy. Plain names, so a team can be previewed before it exists.",
    {
      name: arg(serviceName, "The proxy's name.", { effect: ["opens", "closes"] }),
      namespace: arg(dnsLabel, "The proxy's namespace.", { effect: ["opens", "closes"] }),
      mode: arg(oneOf(StorageProxyMode).default("standalone"), "Who routes.", { effect: ["opens"] }),
      scheme: arg(oneOf(UrlScheme).default("http"), "How browsers speak to it."),
      port: arg(port.default(80), "Port of its LoadBalancer."),
      host: arg(domainName.optional(), "Its host name, if it has one; with `istio` it must."),
      address: arg(
        placed(hostOrAddress).optional(),
        "Host name or address of its LoadBalancer, for the address of a storage.",
      ),
    },
    { effect: [] },
  ),
  hostFault,
);

export type StorageProxyRefParsed = z.output<typeof storageProxyRefSchema>;

/** `http://<host>[:<port>]`, the port only where the scheme does not imply it. */
export function proxyOrigin(proxy: StorageProxyRefParsed, host: string): string {
  const implied = proxy.scheme === "https" ? 443 : 80;
  const address = bracketed(host);
  return `${proxy.scheme}://${address}${proxy.port === implied ? "" : `:${proxy.port}`}`;
}
