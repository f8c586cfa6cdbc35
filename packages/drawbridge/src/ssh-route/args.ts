/** The arguments of SshRoute. */
import { z } from "zod";
import { loginName } from "../host/client-texts/target.ts";
import { frpRouteSchema } from "../host/frpc/args.ts";
import { plainPublicKey } from "../host/keys/authorized-keys.ts";
import { checkHostAccess, checkHostWays, hostAccessFields, networkPolicy } from "../host/ways/access.ts";
import { arg, group, PlainReason } from "../kit/arg.ts";
import { orLogicalName } from "../kit/default-name.ts";

import { another } from "../kit/guard.ts";
import { differ, isDeferred, known } from "../kit/input.ts";
import { across, type Fields, input, type RaiseFault } from "../kit/schema.ts";
import { imagePullSecrets, namespaceInput } from "../kubernetes/args.ts";
import {
  absolutePath,
  dnsLabel,
  labelValue,
  port,
  qualifiedName,
  serviceName,
} from "../kubernetes/shapes.ts";

const fields = group("SshRouteArgs", "Arguments of {@link SshRoute}.", {
  name: arg(orLogicalName(serviceName), "Name of the host, which begins its host name.", {
    effect: ["opens", "closes"],
    default: "the component's logical name",
    plain: PlainReason.names,
    guard: another("network-wall"),
  }),
  namespace: arg(
    namespaceInput,
    "The namespace of the Service, which is part of the host name. Routes go in too; they lead to no other.",
    { effect: ["opens", "closes"], guard: another("network-wall") },
  ),
  serviceName: arg(
    input(serviceName),
    "The Service that leads to its sshd. It must exist, and be no ExternalName.",
    { effect: ["opens", "closes"], guard: "daily" },
  ),
  port: arg(input(port).default(22), "The port of that Service, and of the host name that clients use.", {
    effect: ["opens", "closes"],
    guard: "daily",
  }),
  targetPort: arg(
    input(port).optional(),
    "The port of the pods, where it is not that of the Service: for NetworkPolicies, and so for frpc.",
    { effect: ["opens", "closes"], default: "`port`", guard: "daily" },
  ),
  userName: arg(input(loginName), "Who logs in, for the client's text.", { effect: [] }),
  homePath: arg(input(absolutePath).optional(), "The folder that editors open.", {
    effect: [],
    default: "`/home/<userName>`",
  }),
  hostPublicKeys: arg(
    input(
      z.array(input(plainPublicKey)).min(1, { error: "has no key, so the host could not be verified" }),
      "a list",
    ),
    "Its public host keys, one line each: `/etc/ssh/ssh_host_ed25519_key.pub`, or what `ssh-keyscan` prints after the " +
      "host. Clients trust these and no others.",
    { effect: [], example: '["ssh-ed25519 AAAA…"]' },
  ),
  podName: arg(
    input(dnsLabel).optional(),
    "The pod behind the Service, where its name stays, such as a StatefulSet's: it is reached over the Kubernetes API too.",
    { effect: ["opens", "closes"], guard: "daily" },
  ),
  podLabels: arg(
    z.record(qualifiedName, input(labelValue)).optional(),
    "Labels of the pods behind the Service: the NetworkPolicy is for these, and frpc reaches no others.",
    { effect: ["opens"], guard: another("network-wall") },
  ),
  networkPolicy,
  pod: arg(
    group("SshRoutePodArgs", "Further fields of frpc's pod.", { imagePullSecrets }).prefault({}),
    "Further fields of the pod in which frpc runs.",
  ),
  access: arg(
    group("SshRouteAccessArgs", "Every way in, and who may take it; at least one.", {
      ...hostAccessFields,
      frp: arg(frpRouteSchema.optional(), "A way in through frp, beside the gateway's or instead of it."),
    }),
    "The ways in: a gateway, frp, the Kubernetes API; at least one.",
  ),
});

export const sshRouteSchema = across(fields, checkRoute);

export type SshRouteInput = z.input<typeof fields>;
export type SshRouteParsed = z.output<typeof fields>;

function checkRoute(args: Partial<SshRouteParsed>, fault: RaiseFault, fields: Fields): void {
  const { isGiven, isValid } = fields;
  const { access, networkPolicy, podLabels } = args;
  checkHostAccess(access, fault);
  checkHostWays(access, fault, fields);
  const { teamPods, outsideHosts } = access?.gateway ?? {};
  // Nobody knows here whether the Service leads to pods.
  if (known(teamPods) === false && !isDeferred(outsideHosts) && outsideHosts !== true) {
    fault`access.gateway: reaches only pods of DevContainers, and this route leads elsewhere; the platform sets egress of the SshGateway: teamPods: true for pods, outsideHosts for hosts outside of the cluster. Or put sshd into the pod with InjectedSshd`;
  }
  if (isGiven("podName") && differ(args.targetPort ?? args.port, args.port)) {
    fault`podName: is reached over the Kubernetes API at ${known(args.port)}, and its sshd listens on ${known(args.targetPort)}; set the Service's port to ${known(args.targetPort)}, or leave podName out`;
  }
  if (networkPolicy === undefined || networkPolicy === "none") return;
  if (!isGiven("podLabels") || (isValid("podLabels") && Object.keys(podLabels ?? {}).length === 0)) {
    fault`podLabels: is missing: a NetworkPolicy (${known(networkPolicy)}) is for pods with certain labels; set those of the pods behind the Service`;
  }
}
