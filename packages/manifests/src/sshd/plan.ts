/** What a sshd of ours is made of, in a container's pod or in one that something else makes. */
import type { z } from "zod";
import type { ImagePullPolicy } from "../common/images.ts";
import type { Placed, PlacedList } from "../common/placed.ts";
import type { HostPlan } from "../host/plan.ts";
import type { IdlePlan } from "../idle/plan.ts";
import type { hostKeySchema, sshSchema, userCaSchema } from "./args.ts";

type Ssh = z.output<typeof sshSchema>;

/** The user one logs in as. */
export interface SshdUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
  readonly shell?: string | undefined;
}

/** Whether one logs in as root itself. */
export const isRoot = ({ uid }: Pick<SshdUser, "uid">) => uid === 0;

export type SshdNames = HostPlan["names"] & {
  readonly authorizedKeys: string;
  readonly hostKey: string;
  readonly sshdConfig: string;
};

export interface SshdPlan extends Omit<HostPlan, "user" | "homePath"> {
  readonly homePath: string;
  /** The keys of all ways in together. */
  readonly authorizedKeys: PlacedList<string>;
  readonly names: SshdNames;
  readonly ssh: Pick<Ssh, "mode" | "image" | "port" | "loginGraceSeconds" | "maxStartups"> & Partial<Ssh>;
  readonly user: SshdUser;
  readonly userCa?: z.output<typeof userCaSchema> | undefined;
  readonly hostKey?: z.output<typeof hostKeySchema> | undefined;
  readonly imagePullPolicy: ImagePullPolicy;
  readonly containersInside: boolean;
  /** What the host key is derived for. */
  readonly hostIdentity: HostPlan["namespace"];
  readonly idle: IdlePlan | undefined;
  readonly startupScript?: string | undefined;
  readonly stopWarningSeconds: number;
  readonly sessionsValidFrom?: Placed<string> | undefined;
}

/** A sshd that is put into a pod; its image is known. */
export interface PodSshdPlan extends SshdPlan {
  readonly image: Placed<string>;
}
