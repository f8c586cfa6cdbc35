/** The way in through frp: what a host must know of an FrpServer, and where that listens. */
import { z } from "zod";
import { arg, group } from "../../kit/arg.ts";
import { another, judgedBy } from "../../kit/guard.ts";
import { versionField } from "../../kit/reference.ts";
import { input, optionalInput } from "../../kit/schema.ts";
import { dnsLabel, domainName, hostOrAddress, port, serviceName } from "../../kubernetes/shapes.ts";
import { pemCertificates } from "./frp-shapes.ts";

export const frpServerRefSchema = group(
  "FrpServerRefArgs",
  "What a container must know of its FrpServer: names alone, so a team can be previewed before it exists.",
  {
    ...versionField,
    serverAddr: arg(input(hostOrAddress), "Host name or address of frps, for frpc.", {
      effect: ["restart", "opens"],
      guard: judgedBy("frps", "route-wall"),
    }),
    serverPort: arg(input(port, "a number").default(7000), "Its port for frpc."),
    serverName: arg(optionalInput(hostOrAddress), "The name that its certificate holds.", {
      default: "`serverAddr`",
    }),
    caBundle: arg(input(pemCertificates), "The CA of its certificate, in PEM."),
    address: arg(
      optionalInput(hostOrAddress),
      "Where ssh clients reach it: the host name that it was given. The address that a LoadBalancer gets is in the " +
        "server's output `address`.",
    ),
    connectPort: arg(input(port, "a number").default(1337), "Its CONNECT port."),
    connectTls: arg(optionalInput(z.boolean(), "true or false"), "Whether that port speaks TLS.", {
      default: "false",
    }),
    domain: arg(input(domainName), "The domain of the containers' names."),
    authorizer: arg(
      group(
        "FrpServerAuthorizerRefArgs",
        "The service account that may read the hash of the container's token.",
        {
          namespace: arg(input(dnsLabel), "Its namespace."),
          serviceAccountName: arg(input(serviceName), "Its name, which is the FrpServer's."),
        },
      ),
      "What checks tokens: the service account of the FrpServer's authorizer.",
      { effect: ["opens", "closes"], guard: another("cluster-rights") },
    ),
  },
  { effect: ["restart"] },
);

/** Where frps and the authorizer listen inside their pod; the Services' ports may be others. */
export const frpsPorts = {
  server: 7000,
  connect: 1337,
  metrics: 7500,
  /** On loopback only: frps asks, nobody else. */
  authorizer: 7501,
  authorizerMetrics: 7502,
} as const;
