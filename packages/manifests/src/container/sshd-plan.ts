/** What a sshd of ours is made of, in a container's pod or in somebody else's. */
import type { PlacedList } from "../common/placed.ts";
import type { HostPlan } from "../host/plan.ts";
import type { DevContainerParsed } from "./args.ts";
import type { IdlePlan } from "./idle-plan.ts";

type Ssh = DevContainerParsed["ssh"];

export type SshdNames = HostPlan["names"] & {
  readonly authorizedKeys: string;
  readonly hostKey: string;
  readonly sshdConfig: string;
};

export interface SshdPlan
  extends Omit<HostPlan, "user" | "homePath">,
    Pick<DevContainerParsed, "containersInside" | "hostKey" | "imagePullPolicy" | "userCa"> {
  readonly homePath: string;
  /** Those of every way in. */
  readonly authorizedKeys: PlacedList<string>;
  readonly names: SshdNames;
  readonly ssh: Pick<Ssh, "mode" | "image" | "port" | "loginGraceSeconds" | "maxStartups"> & Partial<Ssh>;
  readonly user: DevContainerParsed["user"];
  /** What the host key is derived for. */
  readonly hostIdentity: HostPlan["namespace"];
  readonly idle: IdlePlan | undefined;
  readonly startupScript?: DevContainerParsed["startupScript"];
  readonly stopWarningSeconds: number;
}

/** One that is put into a pod, of which the image is known. */
export interface PodSshdPlan extends SshdPlan {
  readonly image: DevContainerParsed["image"];
}
