import { frpcSecrets } from "../host/frpc/token.ts";
import { reservedHostNames } from "../host/plan.ts";
import { clientValuesOf } from "../host/ways/access.ts";
import { known } from "../kit/input.ts";
import { descriptor } from "../kubernetes/descriptor.ts";
import { sshRouteSchema } from "./args.ts";
import { sshRouteObjects } from "./objects.ts";
import { planSshRoute } from "./plan.ts";

export const sshRoute = descriptor({
  title: "SshRoute",
  folder: "ssh-route",
  place: "inside",
  isWay: true,
  args: sshRouteSchema,
  plan: planSshRoute,
  secrets: frpcSecrets,
  objects: sshRouteObjects,
  names: reservedHostNames,
  clientOnly: (args) => [
    ...clientValuesOf(args),
    args.hostPublicKeys,
    ...(known(args.hostPublicKeys) ?? []),
    args.userName,
    args.homePath,
  ],
});
