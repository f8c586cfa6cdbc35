import { sshTargetSchema } from "../host/client-texts/target.ts";
import { egressSecrets } from "../host/egress/token.ts";
import { frpcSecrets } from "../host/frpc/token.ts";
import { hostKeys } from "../host/keys/host-keys.ts";
import { reservedNames } from "../host/sshd/plan.ts";
import { clientValuesOf } from "../host/ways/access.ts";
import { descriptor } from "../kubernetes/descriptor.ts";
import { devContainerSchema } from "./args-checks.ts";
import { secretEnvironment } from "./environment.ts";
import { devContainerObjects } from "./objects.ts";
import { planDevContainer } from "./plan.ts";

export const devContainer = descriptor({
  title: "DevContainer",
  folder: "dev-container",
  place: "inside",
  args: devContainerSchema,
  outputs: [sshTargetSchema],
  plan: planDevContainer,
  secrets: (plan, resolve) => ({
    hostKey: plan.hasSshd && plan.hostKey ? hostKeys({ ...plan, hostKey: plan.hostKey }, resolve) : undefined,
    frpc: frpcSecrets(plan, resolve),
    egress: egressSecrets(plan, resolve),
    env: secretEnvironment(plan, resolve),
  }),
  objects: devContainerObjects,
  names: reservedNames,
  clientOnly: clientValuesOf,
  keepsData: true,
  reachesInternet: true,
});
