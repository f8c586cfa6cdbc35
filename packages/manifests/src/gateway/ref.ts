/** What a container needs to know of its gateway: plain names, so a team can preview before it exists. */
import { z } from "zod";
import { arg, group } from "../common/arg.ts";
import { placed } from "../common/schema.ts";
import { dnsLabel, domainName, hostOrAddress, port, serviceName, stringMap } from "../common/shapes.ts";
import { idleRefSchema } from "./idle-ref.ts";

export const sshGatewayRefSchema = group(
  "SshGatewayRefArgs",
  "What a container must know of its gateway. Plain names, so a team can be previewed before it " + "exists.",
  {
    name: arg(serviceName, "The gateway's name."),
    namespace: arg(dnsLabel, "The gateway's namespace."),
    domain: arg(domainName, "The gateway's domain."),
    plainPort: arg(port.optional(), "Port of its plain listener, if it has one.", { effect: [] }),
    tlsPort: arg(port.optional(), "Port of its TLS listener, if it has one.", { effect: [] }),
    mutualTls: arg(z.boolean().optional(), "Whether its TLS listener asks for client certificates.", {
      effect: [],
      default: "false",
    }),
    address: arg(
      placed(hostOrAddress).optional(),
      "Host name or address of its LoadBalancer, for the client's text.",
      { effect: [] },
    ),
    selector: arg(stringMap.optional(), "Labels of its pods.", {
      default: "- those of an SshGateway of this name",
    }),
    idle: arg(idleRefSchema.optional(), "Who puts its containers to sleep and wakes them, if anybody does."),
  },
  { effect: ["opens", "closes"] },
);

export type SshGatewayRefParsed = z.output<typeof sshGatewayRefSchema>;
