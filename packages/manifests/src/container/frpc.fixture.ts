/** Containers with a way in through frp, for the unit tests of this folder. */
import { parseArgs } from "../common/args-error.ts";
import { seed, serverRef } from "../frp/frp.fixture.ts";
import { devContainerSchema } from "./args-checks.ts";
import { type KnownPlan, planDevContainer } from "./plan.ts";

/** A container's arguments with a way in through that server. */
export function containerArgs(
  frp: Record<string, unknown> = { server: serverRef },
  args: Record<string, unknown> = {},
) {
  return {
    namespace: "team-a",
    image: "devcontainer:1",
    authorizedKeys: [
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ5vTNGoYN8XmFyFTyyhbnu5zrBZKdHzrhXm7QGVaVJP alice",
    ],
    hostKey: { seed },
    ...args,
    access: { frp, ...(args.access as object | undefined) },
  };
}

/** The plan of a container with those arguments. */
export function containerPlan(frp?: Record<string, unknown>, args?: Record<string, unknown>): KnownPlan {
  return planDevContainer(
    "dev1",
    parseArgs("DevContainer", "dev1", devContainerSchema, containerArgs(frp, args)),
  ) as KnownPlan;
}
