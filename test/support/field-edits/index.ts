/** Every edit that tests try, by the kind of thing that it edits, and the verdict on it. */

import {
  devContainerSchema,
  frpServerSchema,
  injectedSshdSchema,
  sshGatewaySchema,
  sshRouteSchema,
  storageAccessorSchema,
  storageProxySchema,
} from "@drawbridge-iac/manifests";
import { platformTeamSchema, teamFileSchema } from "@drawbridge-iac/manifests/stack";
import type { z } from "zod";
import { effectAt } from "../../../scripts/lib/effects.ts";
import { containerEdits } from "./containers.ts";
import type { FieldEdits } from "./edit.ts";
import { verdictOf } from "./effects.ts";
import { frpServerEdits } from "./frp-servers.ts";
import { gatewayEdits } from "./gateways.ts";
import { injectedEdits } from "./injected-sshds.ts";
import { platformTeamEdits } from "./platform-teams.ts";
import { routeEdits } from "./ssh-routes.ts";
import { storageProxyEdits } from "./storage-proxies.ts";
import { storageEdits } from "./storages.ts";
import { teamEdits } from "./teams.ts";

export interface EditedKind {
  readonly schema: z.core.$ZodType;
  readonly edits: FieldEdits;
}

export const editedKinds = {
  team: { schema: teamFileSchema, edits: teamEdits },
  "platform's team": { schema: platformTeamSchema, edits: platformTeamEdits },
  container: { schema: devContainerSchema, edits: containerEdits },
  "SSH route": { schema: sshRouteSchema, edits: routeEdits },
  "sshd in another's pod": { schema: injectedSshdSchema, edits: injectedEdits },
  storage: { schema: storageAccessorSchema, edits: storageEdits },
  gateway: { schema: sshGatewaySchema, edits: gatewayEdits },
  "frp server": { schema: frpServerSchema, edits: frpServerEdits },
  "storage proxy": { schema: storageProxySchema, edits: storageProxyEdits },
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
