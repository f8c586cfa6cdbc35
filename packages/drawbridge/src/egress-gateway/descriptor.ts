import { descriptor, noSecrets } from "../kubernetes/descriptor.ts";
import { egressGatewaySchema } from "./args.ts";
import { egressGatewayObjects } from "./objects.ts";
import { planEgressGateway } from "./plan.ts";

export const egressGateway = descriptor({
  title: "EgressGateway",
  folder: "egress-gateway",
  place: "platform",
  args: egressGatewaySchema,
  plan: planEgressGateway,
  secrets: noSecrets,
  objects: egressGatewayObjects,
  isWall: true,
});
