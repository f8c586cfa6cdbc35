/** Where the API server is, for the pods that ask it something. */
import { z } from "zod";
import { arg, group } from "./arg.ts";
import { placed } from "./schema.ts";
import { cidr, port } from "./shapes.ts";

/** One of its networks, and the ports on which API servers usually answer. */
export const apiServerNetwork = (name: string) =>
  group(name, "One network of the API server.", {
    cidr: arg(placed(cidr), "Its addresses in CIDR notation.", {
      example: '"192.0.2.10/32"',
      effect: ["opens"],
    }),
    ports: arg(z.array(port).default([443, 6443]), "Its TCP ports.", { effect: ["opens", "closes"] }),
  });

export type ApiServerNetwork = z.output<ReturnType<typeof apiServerNetwork>>;

/** The token of its service account, by which a program of ours asks the API server; the kubelet renews it. */
export const apiAccess = {
  volume: {
    name: "api-access",
    projected: {
      sources: [
        { serviceAccountToken: { path: "token", expirationSeconds: 3600 } },
        { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
      ],
    },
  },
  mount: { name: "api-access", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount", readOnly: true },
};
