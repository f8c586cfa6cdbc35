import { descriptor, noSecrets } from "../kubernetes/descriptor.ts";
import { sshGatewaySchema } from "./args-checks.ts";
import { sshGatewayObjects } from "./objects.ts";
import { planSshGateway } from "./plan.ts";
import { gatewayEndpointsSchema } from "./ref.ts";

export const sshGateway = descriptor({
  title: "SshGateway",
  folder: "ssh-gateway",
  place: "platform",
  args: sshGatewaySchema,
  outputs: [gatewayEndpointsSchema],
  plan: planSshGateway,
  secrets: noSecrets,
  objects: sshGatewayObjects,
  names: ({ domain }) => [{ path: "domain", name: domain, of: "domain" }],
  clientOnly: ({ existing }) => [existing?.address],
  isWall: true,
  holdsSessions: true,
});
