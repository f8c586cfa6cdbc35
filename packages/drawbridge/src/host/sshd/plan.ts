/** What an sshd of ours is made of, in a container's pod or in one that another controller owns. */
import type { z } from "zod";
import { type Input, type InputList, joinedLists, known, text } from "../../kit/input.ts";
import type { ReservedName } from "../../kubernetes/descriptor.ts";
import type { ImagePullPolicy } from "../../kubernetes/images.ts";
import { joinName } from "../../kubernetes/names.ts";
import type { FrpAccessParsed } from "../frpc/args.ts";
import { planFrpc } from "../frpc/plan.ts";
import type { IdlePlan } from "../idle/plan.ts";
import { type HostNames, type HostPlan, planHostNames, reservedHostNames } from "../plan.ts";
import type { hostKeySchema, sshSchema } from "./args.ts";

type Ssh = z.output<typeof sshSchema>;

/** The user one logs in as. */
export interface SshdUser {
  readonly name: Input<string>;
  readonly uid: Input<number>;
  readonly gid: Input<number>;
  readonly shell?: Input<string> | undefined;
}

/** Whether one logs in as root itself, which a check wants to know at once. */
export const isRoot = ({ uid }: Pick<SshdUser, "uid">) => known(uid) === 0;

/** Physical names of the objects that every sshd of ours has, but for its Service. */
export const sshdNames = (name: string) => ({
  authorizedKeys: joinName(name, "authorized-keys"),
  hostKey: joinName(name, "host-key"),
  sshdConfig: joinName(name, "sshd"),
  route: joinName(name, "ssh"),
  sshpod: joinName(name, "sshpod"),
});

export interface SshdPlan extends Omit<HostPlan, "user"> {
  /** The keys of all ways in together. */
  readonly authorizedKeys: InputList<string>;
  readonly names: HostPlan["names"] & ReturnType<typeof sshdNames>;
  readonly ssh: Pick<Ssh, "mode" | "image" | "port" | "loginGraceSeconds" | "maxStartups"> & Partial<Ssh>;
  readonly user: SshdUser;
  readonly hostKey?: z.output<typeof hostKeySchema> | undefined;
  readonly imagePullPolicy: Input<ImagePullPolicy>;
  readonly containersInside: boolean;
  /** What the host key is derived for. */
  readonly hostIdentity: HostPlan["namespace"];
  readonly idle: IdlePlan | undefined;
  readonly startupScript?: Input<string> | undefined;
  readonly stopWarningSeconds: Input<number>;
}

/** A sshd that is put into a pod; its image is known. */
export interface PodSshdPlan extends SshdPlan {
  readonly image: Input<string>;
}

interface Login {
  readonly namespace: Input<string>;
  readonly authorizedKeys: InputList<string>;
  readonly hostKey?: { readonly identity?: Input<string> | undefined } | undefined;
  readonly access: HostPlan["access"] & {
    readonly address?: Input<string | undefined> | undefined;
    readonly frp?: FrpAccessParsed | undefined;
  };
}

/** What is decided of every sshd of ours by the ways in to it and its identity. */
export function planSshd(name: string, { namespace, authorizedKeys, hostKey, access }: Login) {
  const frpc = planFrpc(name, namespace, access.frp);
  return {
    ...planHostNames(name, { namespace, access }, frpc),
    frpc,
    authorizedKeys: joinedLists(authorizedKeys, frpc === undefined ? [] : (access.frp?.authorizedKeys ?? [])),
    // It moves with the host from stack to stack.
    hostIdentity: hostKey?.identity ?? text`${namespace}/${name}`,
  };
}

/** The names that a host with a sshd of ours reserves: its host names, and what its host key is derived for. */
export const reservedNames = (
  plan: Pick<SshdPlan, "hostIdentity" | "hostKey"> & HostNames,
): ReservedName[] => [
  ...reservedHostNames(plan),
  {
    path: "hostKey.identity",
    name: plan.hostIdentity,
    of: "identity",
    isDefault: plan.hostKey?.identity === undefined,
  },
];
