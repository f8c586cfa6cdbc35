import { type Input, text } from "../kit/input.ts";
import { planPod } from "../kubernetes/args.ts";
import { objectLabels, selectorLabels } from "../kubernetes/labels.ts";
import { internalName, joinName } from "../kubernetes/names.ts";
import { podResources } from "../kubernetes/resources.ts";
import { authorizerResources, type FrpServerParsed, frpsResources } from "./args.ts";

/** TLS in front of the CONNECT port. */
export type FrpServerConnectTls = NonNullable<FrpServerParsed["connectTls"]>;

/** An frp server with every default, name and port decided. */
export type FrpServerPlan = ReturnType<typeof planFrpServer>;

/** @param logicalName the component's name, the default for the objects' name */
export function planFrpServer(logicalName: string, args: FrpServerParsed) {
  const name = args.name ?? logicalName;
  const namespace = args.namespace ?? name;
  return {
    ...args,
    ...planPod(args.pod),
    name,
    namespace,
    // Physical names of its objects.
    names: {
      workload: name,
      // Inside the cluster, for frpc.
      service: name,
      // The LoadBalancer for ssh clients, or with `connectTls` the gateway's listener and route for them.
      connect: joinName(name, "connect"),
      configuration: joinName(name, "frps"),
      metrics: joinName(name, "metrics"),
      certificate: args.tls?.secretName ?? joinName(name, "tls"),
      // What the authorizer knows of single containers.
      units: joinName(name, "units"),
      serviceAccount: name,
    },
    resources: podResources(args.resources, frpsResources),
    authorizer: {
      image: args.authorizer.image,
      resources: podResources(args.authorizer.resources, authorizerResources),
    },
    labels: objectLabels("frp-server", name),
    selector: selectorLabels("frp-server", name),
    // What its secrets are derived for.
    identity: text`${namespace}/${name}`,
    // The name by which frpc reaches frps and which its certificate holds.
    serverAddr: internalName(name, namespace),
  };
}

/** Every DNS name of the Service that frpc may use; the certificate is valid for them. */
export function certificateNames(plan: FrpServerPlan): Input<string>[] {
  const short = text`${plan.names.service}.${plan.namespace}`;
  return [plan.serverAddr, text`${short}.svc`, short];
}
