/** The ways in that every host can have, as arguments. */

import { clientCertificatePattern, longestPattern } from "../../istio/ssh-route.ts";
import { arg, PlainReason } from "../../kit/arg.ts";
import { crossing, judgedBy } from "../../kit/guard.ts";
import { type Input, type InputList, isDeferred, isEmpty, knownItems } from "../../kit/input.ts";
import { reference } from "../../kit/reference.ts";
import { type Fields, inputList, oneOf, optionalInput, type RaiseFault } from "../../kit/schema.ts";
import { type Subjects, subjectsSchema } from "../../kubernetes/args.ts";
import { hostOrAddress } from "../../kubernetes/shapes.ts";
import { identity, sshGatewayRefSchema } from "./gateway.ts";

/** The fields of `access` that a container has, and what runs already has too. */
export const hostAccessFields = {
  gateway: arg(
    reference(sshGatewayRefSchema, "SshGateway", "address").optional(),
    "The gateway through which it is reached: an {@link SshGateway}, or the `ref` of one of another stack.",
  ),
  address: arg(
    optionalInput(hostOrAddress),
    "Where clients reach the gateway, if not at its own address: a port that is forwarded, or with the `ref` of another " +
      "stack's gateway the address that its LoadBalancer got. No object waits for it.",
    { effect: [], default: "the gateway's" },
  ),
  sshpod: arg(
    subjectsSchema.optional(),
    "Who may enter over the Kubernetes API (`drawbridge proxy`), without rights to any other pod.",
    { default: "- nobody gets rights from here" },
  ),
  allowIdentities: arg(
    inputList(identity).default([]),
    "URI names of the client certificates that may open its tunnels, such as " +
      "`spiffe://example.com/user/alice`. Needs a gateway with a client CA; its plain listener then " +
      "leads nobody here. As a pattern of the route they have at most 1024 characters, about 25 names.",
    {
      effect: ["closes"],
      default: "- everyone whom the gateway lets in",
      guard: judgedBy("identities", "certificate-dropped"),
    },
  ),
};

/** Whether a NetworkPolicy is made for the port of an sshd, and of which kind. */
export const SshNetworkPolicy = {
  /** None: who may reach the pods stays as it is. */
  none: "none",
  /** The gateway may reach the port; for namespaces in which everything else is denied already. */
  allowGateway: "allow-gateway",
  /** Nobody but the gateway may reach the port, and every other port stays as open as it is without a policy. */
  onlyGateway: "only-gateway",
} as const;
export type SshNetworkPolicy = (typeof SshNetworkPolicy)[keyof typeof SshNetworkPolicy];

/** Of hosts whose pods another controller makes. */
export const networkPolicy = arg(
  oneOf(SshNetworkPolicy).default("none"),
  "Whether a NetworkPolicy is made. `none`: who may reach the pods stays as it is. `allow-gateway`: the gateway may reach the SSH " +
    "port, and a frpc before it; for a namespace in which all else is denied already, such as a {@link Team}'s. `only-gateway`: nobody but these " +
    "may reach the SSH port, and every other port stays open to everybody; for a namespace without a policy that denies.",
  {
    effect: ["opens"],
    guard: crossing("network-wall", { unless: "allow-gateway" }),
    plain: PlainReason.resources,
  },
);

export interface HostAccess {
  readonly frp?: { readonly enabled?: boolean } | undefined;
  readonly gateway?: { readonly mutualTls?: Input<boolean | undefined> | undefined } | undefined;
  readonly sshpod?: Partial<Subjects> | undefined;
  readonly allowIdentities?: InputList<string>;
}

/** What of a host's ways clients alone read: no object waits for it. */
export const clientValuesOf = ({ access }: WithWays) => [
  access.address,
  access.gateway?.address,
  access.frp?.address,
];

interface WithWays {
  readonly access: {
    readonly address?: unknown;
    readonly gateway?: { readonly address?: unknown } | undefined;
    readonly frp?: { readonly address?: unknown } | undefined;
  };
}

export function checkHostAccess(access: HostAccess | undefined, fault: RaiseFault): void {
  const { allowIdentities = [], gateway, sshpod } = access ?? {};
  if (!isEmpty(allowIdentities) && !isDeferred(gateway?.mutualTls) && gateway?.mutualTls !== true) {
    fault`access.allowIdentities: needs a gateway that asks for client certificates (listeners.tls.clientCa there, or mutualTls: true in a plain reference); only a certificate proves an identity`;
  }
  const { length } = clientCertificatePattern(knownItems(allowIdentities));
  if (length > longestPattern) {
    fault`access.allowIdentities: makes a pattern of ${length} characters for the route, and Istio takes at most ${longestPattern}; set fewer or shorter identities`;
  }
  if (sshpod !== undefined && isEmpty(sshpod.users ?? []) && isEmpty(sshpod.groups ?? [])) {
    fault`access.sshpod: is empty; set users, groups or both`;
  }
}

/** Of a host whose pod someone else makes: over the Kubernetes API it is reached where that pod's name stays. */
export function checkHostWays(
  access: HostAccess | undefined,
  fault: RaiseFault,
  { isGiven, isValid }: Fields,
): void {
  if (access === undefined || isGiven("podName")) return;
  const { gateway, frp, sshpod } = access;
  if (isValid("access") && gateway === undefined && frp?.enabled !== true) {
    fault.as(
      "no-way-in",
    )`access: has no way in, so no login is possible; set gateway, frp, or podName for the way over the Kubernetes API`;
  }
  if (sshpod !== undefined)
    fault`podName: is missing: access.sshpod gives rights to one pod; set the pod's name, or set access.sshpod in TeamMembers, for every pod`;
}
