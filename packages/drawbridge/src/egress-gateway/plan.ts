import { planPod } from "../kubernetes/args.ts";
import { replicasOf } from "../kubernetes/autoscaling.ts";
import { publicImages } from "../kubernetes/images.ts";
import { objectLabels, selectorLabels } from "../kubernetes/labels.ts";
import { podResources } from "../kubernetes/resources.ts";
import { authorizerResources, type EgressGatewayParsed, proxyResources } from "./args.ts";

/** A gateway with every default, name and port decided. */
export type EgressGatewayPlan = ReturnType<typeof planEgressGateway>;

/** @param logicalName the component's name, the default for the objects' name */
export function planEgressGateway(logicalName: string, args: EgressGatewayParsed) {
  const name = args.name ?? logicalName;
  return {
    ...args,
    ...planPod(args.pod),
    name,
    namespace: args.namespace ?? name,
    replicas: replicasOf(args),
    image: args.image ?? publicImages.envoy,
    resources: podResources(args.resources, proxyResources),
    authorizer: {
      image: args.authorizer.image,
      resources: podResources(args.authorizer.resources, authorizerResources),
    },
    labels: objectLabels("egress-gateway", name),
    selector: selectorLabels("egress-gateway", name),
  };
}
