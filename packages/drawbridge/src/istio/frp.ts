/** TLS in front of frp's CONNECT port, on a gateway that the cluster has. */

import { type Input, text } from "../kit/input.ts";
import type { Manifest } from "../kubernetes/manifest.ts";
import { listeners } from "./listeners.ts";
import { route } from "./route.ts";

interface FrpServer {
  readonly names: { readonly connect: string };
  readonly namespace: Input<string>;
  readonly labels: Readonly<Record<string, string>>;
  readonly serverAddr: Input<string>;
  readonly connectPort: Input<number>;
}

interface ConnectTls {
  readonly dnsName: Input<string>;
  readonly port: Input<number>;
  readonly secretName: Input<string>;
  readonly gateway: {
    readonly namespace: Input<string>;
    readonly selector: Input<Readonly<Record<string, Input<string>>>>;
  };
}

/** The listener. It has a name of its own (SNI), so it may share the gateway's HTTPS port with web sites. */
export function frpListener(server: FrpServer, connectTls: ConnectTls): Manifest<"Gateway"> {
  const { dnsName, port, secretName, gateway } = connectTls;
  const { namespace, selector } = gateway;
  return listeners({ name: server.names.connect, namespace, labels: server.labels, selector }, [
    {
      port: { number: port, name: `tls-${server.names.connect}`, protocol: "TLS" },
      // Routes of other namespaces cannot attach to it.
      hosts: [text`${server.namespace}/${dnsName}`],
      tls: { mode: "SIMPLE", credentialName: secretName, minProtocolVersion: "TLSV1_2" },
    },
  ]);
}

/** From the listener on to the CONNECT port: bytes, since frps alone knows the containers' names. */
export function frpRoute(
  server: FrpServer,
  { dnsName, port, gateway }: ConnectTls,
): Manifest<"VirtualService"> {
  const name = server.names.connect;
  const to = { destination: { host: server.serverAddr, port: { number: server.connectPort } } };
  return route(
    { ...server, name },
    { name, namespace: gateway.namespace },
    { hosts: [dnsName], tcp: [{ match: [{ port }], route: [to] }] },
  );
}
