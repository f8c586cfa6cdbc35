import { egressMark, egressSecrets } from "../host/egress/token.ts";
import { frpcSecrets } from "../host/frpc/token.ts";
import { hostKeys } from "../host/keys/host-keys.ts";
import { hostKeyMark } from "../host/sshd/files.ts";
import { reservedNames } from "../host/sshd/plan.ts";
import { clientValuesOf } from "../host/ways/access.ts";
import { descriptor } from "../kubernetes/descriptor.ts";
import type { PodTemplate } from "./args.ts";
import { injectedSshdSchema } from "./args-checks.ts";
import { injectedSshdObjects } from "./objects.ts";
import { planInjectedSshd } from "./plan.ts";
import { templateWithSshd } from "./template.ts";

export const injectedSshd = descriptor({
  title: "InjectedSshd",
  folder: "injected-sshd",
  place: "inside",
  args: injectedSshdSchema,
  plan: planInjectedSshd,
  secrets: (plan, resolve) => ({
    hostKey: hostKeys(plan, resolve),
    frpc: frpcSecrets(plan, resolve),
    egress: egressSecrets(plan, resolve),
  }),
  objects: injectedSshdObjects,
  template: (plan, { hostKey, egress }, { plain }) =>
    plain(plan.podTemplate, (known) =>
      templateWithSshd(plan, known as PodTemplate, hostKeyMark(hostKey.publicKeys), egressMark(egress)),
    ),
  names: reservedNames,
  clientOnly: clientValuesOf,
});
