/** Every edit that tests try, by the kind of thing that it edits, and the verdict on it. */

import { devContainerSchema } from "@drawbridge-iac/drawbridge/src/dev-container/args-checks";
import { frpServerSchema } from "@drawbridge-iac/drawbridge/src/frp-server/args";
import { injectedSshdSchema } from "@drawbridge-iac/drawbridge/src/injected-sshd/args-checks";
import { sshGatewaySchema } from "@drawbridge-iac/drawbridge/src/ssh-gateway/args-checks";
import { sshRouteSchema } from "@drawbridge-iac/drawbridge/src/ssh-route/args";
import { platformTeamSchema, teamFileSchema } from "@drawbridge-iac/drawbridge/src/stacks/schema";
import { storageAccessorSchema } from "@drawbridge-iac/drawbridge/src/storage-accessor/args-checks";
import { storageProxySchema } from "@drawbridge-iac/drawbridge/src/storage-proxy/args";
import type { z } from "zod";
import { effectAt } from "../argument-groups.ts";
import { containerBase } from "./container-base.ts";
import { containerEdits } from "./containers.ts";
import type { Args, FieldEdits } from "./edit.ts";
import { verdictOf } from "./effects.ts";
import { frpServerBase, frpServerEdits } from "./frp-servers.ts";
import { gatewayBase, gatewayEdits } from "./gateways.ts";
import { injectedBase, injectedEdits } from "./injected-sshds.ts";
import { platformTeamEdits } from "./platform-teams.ts";
import { routeBase, routeEdits } from "./ssh-routes.ts";
import { storageProxyBase, storageProxyEdits } from "./storage-proxies.ts";
import { storageBase, storageEdits } from "./storages.ts";
import { teamBase, teamEdits } from "./teams.ts";

export interface EditedKind {
  readonly schema: z.ZodType;
  readonly edits: FieldEdits;
  /** What all edits start from, in a thing of that name. */
  readonly base: (name: string) => Args;
}

export const editedKinds = {
  team: { schema: teamFileSchema, edits: teamEdits, base: teamBase },
  "platform's team": { schema: platformTeamSchema, edits: platformTeamEdits, base: () => ({}) },
  container: { schema: devContainerSchema, edits: containerEdits, base: () => containerBase },
  "SSH route": { schema: sshRouteSchema, edits: routeEdits, base: () => routeBase },
  "sshd in another's pod": { schema: injectedSshdSchema, edits: injectedEdits, base: () => injectedBase },
  storage: { schema: storageAccessorSchema, edits: storageEdits, base: () => storageBase },
  gateway: { schema: sshGatewaySchema, edits: gatewayEdits, base: gatewayBase },
  "frp server": { schema: frpServerSchema, edits: frpServerEdits, base: () => frpServerBase },
  "storage proxy": { schema: storageProxySchema, edits: storageProxyEdits, base: () => storageProxyBase },
} satisfies Record<string, EditedKind>;

/** The verdict that is expected of each edit, by its path. */
export function expectedVerdicts({ schema, edits }: EditedKind): Record<string, string> {
  return Object.fromEntries(
    Object.entries(edits).map(([path, edit]) => {
      const verdict = edit.verdict ?? verdictOf(effectAt(schema, path)?.effect ?? []);
      if (verdict === undefined)
        throw new Error(`the edit of ${path} needs a verdict: its schema gives none`);
      return [path, verdict];
    }),
  );
}
