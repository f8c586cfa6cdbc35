/** Hosts outside of the cluster as Services of a team's namespace, whose addresses nobody but the platform writes. */
import { isIPv6 } from "node:net";
import { type Input, whenKnown } from "../kit/input.ts";
import { objectLabels } from "../kubernetes/labels.ts";
import type { Manifest } from "../kubernetes/manifest.ts";
import { allAfter, type Declared, declared } from "../kubernetes/objects.ts";
import type { OutsideHostParsed } from "./args.ts";

// To Istio these are bytes, whatever is spoken over them.
const portName = "tcp-ssh";

/** A Service without a selector leads where its slice says. */
export function outsideHostObjects(
  namespace: Input<string>,
  hosts: Readonly<Record<string, OutsideHostParsed>>,
): Record<string, Declared<"Service" | "EndpointSlice">> {
  const labels = objectLabels("team", namespace);
  const objects = Object.entries(hosts).map(([name, host]) => {
    const metadata = { name, namespace, labels };
    const [service, addresses] = [`host-${name}`, `addresses-${name}`];
    return {
      [service]: declared(hostService(metadata, host)),
      ...allAfter([service], { [addresses]: declared(hostAddresses(metadata, host)) }),
    };
  });
  return Object.assign({}, ...objects);
}

type Named = Manifest<"Service">["metadata"] & { readonly name: string };

/** Headless: the address itself is dialled, on its own port. */
function hostService(metadata: Named, { port }: OutsideHostParsed): Manifest<"Service"> {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata,
    spec: { clusterIP: "None", ports: [{ name: portName, port, targetPort: port, protocol: "TCP" }] },
  };
}

function hostAddresses(metadata: Named, { address, port }: OutsideHostParsed): Manifest<"EndpointSlice"> {
  const labels = {
    ...metadata.labels,
    "kubernetes.io/service-name": metadata.name,
    // The control plane leaves slices of others alone.
    "endpointslice.kubernetes.io/managed-by": "drawbridge",
  };
  return {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { ...metadata, labels },
    addressType: whenKnown(address, (known) => (isIPv6(known) ? "IPv6" : "IPv4")),
    endpoints: [{ addresses: [address], conditions: { ready: true } }],
    ports: [{ name: portName, port, protocol: "TCP" }],
  };
}
