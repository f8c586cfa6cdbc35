import type * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";

/** The host name or address that a cluster gave to a Service of type LoadBalancer. */
export function loadBalancerAddress(service: k8s.core.v1.Service): pulumi.Output<string> {
  return pulumi
    .all([service.metadata, service.status.loadBalancer.ingress])
    .apply(([{ namespace, name }, given]) => {
      const ingress: readonly { hostname?: string; ip?: string }[] | undefined = given;
      const address = ingress?.[0]?.hostname ?? ingress?.[0]?.ip;
      if (address === undefined) {
        throw new Error(
          `the LoadBalancer ${namespace}/${name} has no address; see its events with: kubectl -n ${namespace} describe service ${name}`,
        );
      }
      return address;
    });
}
