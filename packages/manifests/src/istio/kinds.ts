/**
 * Istio's custom resources that drawbridge makes, with the fields that it writes. `test/lab/lab.test.ts` holds them to the
 * CustomResourceDefinitions of the lab.
 */
import type { Custom } from "../common/kinds.ts";
import type { Placed } from "../common/placed.ts";

/** Whose object one is: a component's, and what it is called. */
export interface Owner {
  readonly name: string;
  readonly namespace: Placed<string>;
  readonly labels: Readonly<Record<string, string>>;
}

/** A gateway of ours, with the labels of its proxies. */
export interface GatewayOwner extends Owner {
  readonly selector: Placed<Labels>;
}

type Labels = Readonly<Record<string, string>>;
type StringMatch = Placed<{ exact: Placed<string> } | { prefix: Placed<string> } | { regex: Placed<string> }>;

interface Destination {
  destination: { host: Placed<string>; port: { number: number } };
}

export interface GatewaySpec {
  selector: Placed<Labels>;
  servers: readonly {
    port: { number: number; name: string; protocol: "HTTP" | "HTTPS" | "TLS" };
    hosts: readonly Placed<string>[];
    tls?: {
      mode: "SIMPLE" | "MUTUAL";
      credentialName: Placed<string>;
      minProtocolVersion?: "TLSV1_2";
    };
  }[];
}

export interface VirtualServiceSpec {
  hosts: readonly Placed<string>[];
  gateways: readonly Placed<string>[];
  exportTo: readonly Placed<string>[];
  http?: readonly {
    name: string;
    match: readonly {
      uri?: StringMatch;
      authority?: StringMatch;
      headers?: Readonly<Record<string, StringMatch>>;
    }[];
    retries?: { attempts: number };
    route?: readonly Destination[];
    directResponse?: { status: number; body: { string: string } };
  }[];
  tcp?: readonly { match: readonly { port: number }[]; route: readonly Destination[] }[];
}

/** One patch of Envoy's configuration, of which `value` is a part in Envoy's own words. */
export interface EnvoyPatch {
  applyTo: "CLUSTER" | "HTTP_FILTER" | "HTTP_ROUTE" | "LISTENER" | "NETWORK_FILTER";
  match: { context: "GATEWAY"; listener?: object; routeConfiguration?: object };
  patch: { operation: "INSERT_FIRST" | "MERGE" | "REMOVE"; value?: object };
}

export interface EnvoyFilterSpec {
  workloadSelector: { labels: Placed<Labels> };
  configPatches: readonly EnvoyPatch[];
}

export interface AuthorizationPolicySpec {
  selector: { matchLabels: Placed<Labels> };
  action: "ALLOW";
  rules: Placed<
    readonly {
      from: readonly { source: { principals: readonly Placed<string>[] } }[];
      to: readonly { operation: { methods: readonly string[] } }[];
    }[]
  >;
}

declare module "../common/kinds.ts" {
  interface Kinds {
    Gateway: Custom<"networking.istio.io/v1", "Gateway", GatewaySpec>;
    VirtualService: Custom<"networking.istio.io/v1", "VirtualService", VirtualServiceSpec>;
    EnvoyFilter: Custom<"networking.istio.io/v1alpha3", "EnvoyFilter", EnvoyFilterSpec>;
    AuthorizationPolicy: Custom<"security.istio.io/v1", "AuthorizationPolicy", AuthorizationPolicySpec>;
  }
}
