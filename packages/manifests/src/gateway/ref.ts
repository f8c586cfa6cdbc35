/** What a container needs to know of its gateway: plain names, so a team can preview before it exists. */
import { z } from "zod";
import { placed, strict } from "../common/schema.ts";
import { dnsLabel, domainName, hostOrAddress, port, serviceName, stringMap } from "../common/shapes.ts";
import { idleRefSchema } from "./idle-ref.ts";

export const sshGatewayRefSchema = strict({
  name: serviceName,
  namespace: dnsLabel,
  domain: domainName,
  plainPort: port.optional(),
  tlsPort: port.optional(),
  mutualTls: z.boolean().optional(),
  address: placed(hostOrAddress).optional(),
  selector: stringMap.optional(),
  idle: idleRefSchema.optional(),
});

export type SshGatewayRefParsed = z.output<typeof sshGatewayRefSchema>;
