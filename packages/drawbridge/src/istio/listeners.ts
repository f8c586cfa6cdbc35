/** The listeners of gateways of our own, and which certificates they take. */

import { type Input, type InputList, text, whenKnown } from "../kit/input.ts";
import type { GatewaySpec } from "../kubernetes/kinds.ts";
import type { Manifest } from "../kubernetes/manifest.ts";
import type { Owner } from "./route.ts";

/** The owner of a gateway's objects, with the labels of its proxies. */
export interface GatewayOwner extends Owner {
  readonly selector: Input<Readonly<Record<string, Input<string>>>>;
}

type Server = GatewaySpec["servers"][number];

/** A Gateway of one's own, or on proxies that the cluster has. */
export function listeners(
  { name, namespace, labels, selector }: GatewayOwner,
  servers: readonly Server[],
): Manifest<"Gateway"> {
  return {
    apiVersion: "networking.istio.io/v1",
    kind: "Gateway",
    metadata: { name, namespace, labels },
    spec: { selector, servers },
  };
}

/** One port on which a gateway answers CONNECT. */
export interface SshListener {
  readonly name: "plain" | "tls";
  readonly port: Input<number>;
}

interface SshListeners extends GatewayOwner {
  readonly domain: Input<string>;
  readonly listeners: readonly SshListener[];
  readonly tls: { readonly secretName: Input<string>; readonly clientCa?: unknown } | undefined;
}

/**
 * They accept names of the domain and of cluster-internal Services from every namespace, so that a new team or container
 * changes no listener: a listener change would cut every open session.
 */
export function sshListeners(plan: SshListeners): Manifest<"Gateway"> {
  return listeners(
    plan,
    plan.listeners.map((listener) => sshServer(plan, listener)),
  );
}

function sshServer({ domain, tls }: SshListeners, { name, port }: SshListener): Server {
  const hosts = [text`*/*.${domain}`, "*/*.svc.cluster.local"];
  if (name === "plain" || tls === undefined) {
    return { port: { number: port, name: "http-plain", protocol: "HTTP" }, hosts };
  }
  return {
    port: { number: port, name: "https-tls", protocol: "HTTPS" },
    hosts,
    tls: {
      mode: tls.clientCa === undefined ? "SIMPLE" : "MUTUAL",
      credentialName: tls.secretName,
      minProtocolVersion: "TLSV1_2",
    },
  };
}

/** Istio looks for the CA of the clients beside the server's certificate, under this name. */
export const clientCaName = (secretName: Input<string>): Input<string> =>
  whenKnown(secretName, (name) => `${name}-cacert`);

/**
 * The client identities that may use a gateway at all. They belong to the gateway, never to a container: changing them
 * changes the listener.
 */
export function identityPolicy({
  name,
  namespace,
  labels,
  selector,
  allowIdentities,
}: GatewayOwner & { readonly allowIdentities: InputList<string> }): Manifest<"AuthorizationPolicy"> {
  return {
    apiVersion: "security.istio.io/v1",
    kind: "AuthorizationPolicy",
    metadata: { name, namespace, labels },
    spec: {
      selector: { matchLabels: selector },
      action: "ALLOW",
      // Without a rule nobody is let in; a rule without principals would let everybody in.
      rules: whenKnown(allowIdentities, (uris) => (uris.length === 0 ? [] : [ruleFor(uris)])),
    },
  };
}

const ruleFor = (uris: readonly Input<string>[]) => ({
  from: [{ source: { principals: uris.map((uri) => whenKnown(uri, withoutScheme)) } }],
  to: [{ operation: { methods: ["CONNECT"] } }],
});

/** Istio writes principals without the scheme. */
const withoutScheme = (uri: string) => uri.replace(/^spiffe:\/\//, "");
