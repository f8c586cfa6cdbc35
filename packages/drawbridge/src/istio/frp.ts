/** TLS in front of frp's CONNECT port, on a gateway that the cluster has. */

import { type Placed, text } from "../kit/placed.ts";
import type { Manifest } from "../kubernetes/manifest.ts";
import { listeners } from "./listeners.ts";
import { route } from "./route.ts";

interface FrpServer {
  readonly names: { readonly connect: string };
  readonly namespace: Placed<string>;
  readonly labels: Readonly<Record<string, string>>;
  readonly serverAddr: Placed<string>;
  readonly connectPort: number;
}

interface ConnectTls {
  readonly dnsName: Placed<string>;
  readonly port: number;
  readonly secretName: Placed<string>;
  readonly gateway: {
    readonly namespace: Placed<string>;
    readonly selector: Placed<Readonly<Record<string, string>>>;
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
