/** Compile-time: a misspelt field of an object does not compile. */
import type { Manifest } from "./manifest.ts";

const metadata = { name: "one" };

export const pod: Manifest<"StatefulSet">["spec"] = {
  selector: { matchLabels: {} },
  serviceName: "one",
  template: {
    spec: {
      containers: [
        {
          name: "dev",
          // @ts-expect-error readOnlyRootFilesystem
          securityContext: { readOnlyRootFilesytem: true },
        },
      ],
    },
  },
};

export const service: Manifest<"Service"> = {
  apiVersion: "v1",
  kind: "Service",
  metadata,
  // @ts-expect-error publishNotReadyAddresses
  spec: { publishNotReadyAdresses: true },
};

export const route: Manifest<"VirtualService"> = {
  apiVersion: "networking.istio.io/v1",
  kind: "VirtualService",
  metadata,
  // @ts-expect-error exportTo
  spec: { hosts: [], gateways: [], exportTo: [], exportsTo: ["."] },
};

// @ts-expect-error a Service is of v1
export const version: Pick<Manifest<"Service">, "apiVersion"> = { apiVersion: "v2" };
