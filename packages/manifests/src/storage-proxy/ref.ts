/** What a storage needs to know of the proxy: plain names, so a team can preview before it exists. */

import type { z } from "zod";
import { bracketed } from "../common/address.ts";
import { across, oneOf, placed, strict } from "../common/schema.ts";
import { dnsLabel, domainName, hostOrAddress, port, serviceName } from "../common/shapes.ts";
import { hostFault, StorageProxyMode } from "./args.ts";

/** How browsers speak to the proxy. */
export const UrlScheme = { http: "http", https: "https" } as const;
export type UrlScheme = (typeof UrlScheme)[keyof typeof UrlScheme];

export const storageProxyRefSchema = across(
  strict({
    name: serviceName,
    namespace: dnsLabel,
    mode: oneOf(StorageProxyMode).default("standalone"),
    scheme: oneOf(UrlScheme).default("http"),
    port: port.default(80),
    host: domainName.optional(),
    address: placed(hostOrAddress).optional(),
  }),
  hostFault,
);

export type StorageProxyRefParsed = z.output<typeof storageProxyRefSchema>;

/** `http://<host>[:<port>]`, the port only where the scheme does not imply it. */
export function proxyOrigin(proxy: StorageProxyRefParsed, host: string): string {
  const implied = proxy.scheme === "https" ? 443 : 80;
  const address = bracketed(host);
  return `${proxy.scheme}://${address}${proxy.port === implied ? "" : `:${proxy.port}`}`;
}
