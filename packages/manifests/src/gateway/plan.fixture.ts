/** Plans, and what is made or said of them, for the unit tests of this folder. */
import { issuesOf, parseArgs } from "../common/args-error.ts";
import { connectFilter } from "../istio/connect-filter.ts";
import type { SshGatewayInput } from "./args.ts";
import { sshGatewaySchema } from "./args-checks.ts";
import { type KnownSshGatewayPlan, planSshGateway } from "./plan.ts";

/** The arguments, with those that every gateway needs. */
const whole = (args: object) => ({
  domain: "dev.example.com",
  ...("existing" in args ? {} : { loadBalancer: { preset: "generic" } }),
  ...args,
});

export const planOf = (args: Partial<SshGatewayInput> = {}) =>
  planSshGateway("ssh", parseArgs("SshGateway", "ssh", sshGatewaySchema, whole(args))) as KnownSshGatewayPlan;

/** As `path: code`. */
export function faultsOf(args: object): string[] {
  const { error } = sshGatewaySchema.safeParse(whole(args), { reportInput: true });
  return error === undefined ? [] : issuesOf(error).map(({ path, code }) => `${path}: ${code}`);
}

export const patchesOf = (plan: KnownSshGatewayPlan) => connectFilter(plan).spec.configPatches;
