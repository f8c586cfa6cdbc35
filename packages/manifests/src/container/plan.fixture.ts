/** Plans for the unit tests of this folder. */
import { type ArgsError, parseArgs } from "../common/args-error.ts";
import { type DevContainerInput, devContainerSchema } from "./args.ts";
import { type DevContainerPlan, planDevContainer } from "./plan.ts";

export const aliceKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";
export const bobKey = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKSJUBAXxKZBSdSAfMuYRLkpUPF6MzhAfOe7TXFnsUIW bob";
export const seed = "correct horse battery staple correct horse";

/** The fewest arguments that a container needs. */
export const required = {
  namespace: "team-a",
  image: "registry.example.com/devcontainer:1.4.0",
  authorizedKeys: [aliceKey],
  hostKey: { seed },
} satisfies DevContainerInput;

export const gateway = {
  name: "ssh",
  namespace: "ssh-ingress",
  domain: "dev.example.com",
  plainPort: 80,
} as const;

/** The plan of container `dev1`. */
export function planOf(args: Partial<DevContainerInput> = {}): DevContainerPlan {
  return planDevContainer(
    "dev1",
    parseArgs("DevContainer", "dev1", devContainerSchema, { ...required, ...args }),
  );
}

/** The faults of the required arguments with these changes, as `path: message`. */
export function faultsOf(args: Record<string, unknown>): string[] {
  try {
    parseArgs("DevContainer", "dev1", devContainerSchema, { ...required, ...args });
    return [];
  } catch (error) {
    return (error as ArgsError).issues.map(({ path, message }) => `${path}: ${message}`);
  }
}
