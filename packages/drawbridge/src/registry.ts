/** The components, in the order in which one meets them. The only list of them: it holds data, and imports no class. */
import { certManager } from "./cert-manager/descriptor.ts";
import { devContainer } from "./dev-container/descriptor.ts";
import { egressGateway } from "./egress-gateway/descriptor.ts";
import { frpServer } from "./frp-server/descriptor.ts";
import { injectedSshd } from "./injected-sshd/descriptor.ts";
import { sshGateway } from "./ssh-gateway/descriptor.ts";
import { sshRoute } from "./ssh-route/descriptor.ts";
import { storageAccessor } from "./storage-accessor/descriptor.ts";
import { storageProxy } from "./storage-proxy/descriptor.ts";
import { team, teamMembers, teamPolicies } from "./team/descriptor.ts";

export const registry = [
  sshGateway,
  team,
  teamMembers,
  teamPolicies,
  devContainer,
  injectedSshd,
  sshRoute,
  storageAccessor,
  storageProxy,
  frpServer,
  egressGateway,
  certManager,
] as const;
