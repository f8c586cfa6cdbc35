/** Plans, and what is made or said of them, for the unit tests of this folder. */

import { connectFilter } from "../istio/connect-filter.ts";
import { parseArgs } from "../kit/args-error.ts";
import { faultsFrom } from "../kit/faults.fixture.ts";
import type { EnvoyPatch } from "../kubernetes/kinds.ts";
import type { SshGatewayInput } from "./args.ts";
import { sshGatewaySchema } from "./args-checks.ts";
import { type KnownSshGatewayPlan, planSshGateway } from "./plan.ts";

/** The arguments, with those that every gateway needs. */
const whole = (args: object) => ({
  domain: "dev.example.com",
  ...("existing" in args ? {} : { loadBalancer: { preset: "generic" } }),
  ...args,
});

const parsed = (args: object) => parseArgs("SshGateway", "ssh", sshGatewaySchema, whole(args));

export const planOf = (args: Partial<SshGatewayInput> = {}) =>
  planSshGateway("ssh", parsed(args)) as KnownSshGatewayPlan;

/** As `path: code`. */
export const faultsOf = (args: object) => faultsFrom(() => parsed(args));

export const patchesOf = (plan: KnownSshGatewayPlan) =>
  connectFilter(plan).spec.configPatches as readonly EnvoyPatch[];
