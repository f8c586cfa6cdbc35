/** An egress gateway as tests have it. */
import { EgressGateway, type EgressGatewayArgs } from "@drawbridge-iac/drawbridge";
import { imageRef } from "../../../packages/lab/src/images/index.ts";
import { resolver } from "../lab/internet.ts";

/** A gateway of one proxy with the lab's images, which resolves names at the lab's own internet. */
export function testEgressGateway(name: string, args: Partial<EgressGatewayArgs> = {}): EgressGateway {
  return new EgressGateway(name, {
    replicas: 1,
    drainSeconds: 3,
    image: imageRef("proxyv2"),
    authorizer: { image: imageRef("programs"), resources: { requests: { cpu: "20m" } } },
    resources: { requests: { cpu: "20m" } },
    resolvers: [resolver],
    // Whichever cluster the tests run on.
    egress: { apiServer: [{ cidr: "10.201.0.0/24" }] },
    ...args,
  });
}
