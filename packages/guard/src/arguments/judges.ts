/** The judges that rows of arguments name (`guard:` in the library's `args*.ts`), one function for each. */
import type { Judge } from "@drawbridge-iac/drawbridge/src/kit/guard";
import type { Effect } from "../effect.ts";
import { hosts } from "./hosts.ts";
import type { Judging } from "./judging.ts";
import * as logins from "./logins.ts";
import { networks, peers } from "./networks.ts";
import * as places from "./places.ts";
import * as sets from "./sets.ts";

export const judges: Readonly<Record<Judge, (judging: Judging) => readonly Effect[]>> = {
  account: places.account,
  accounts: sets.accounts,
  annotations: sets.annotations,
  authorities: logins.authorityEffects,
  "claim-patch": sets.claimPatch,
  "client-ca": sets.certificateAuthority,
  "connection-limits": places.connectionLimits,
  credentials: sets.credentials,
  // By identities.ts, images.ts, and of a template where it is put.
  elsewhere: () => [],
  frps: places.frps,
  hosts,
  identities: sets.identities,
  keys: logins.keyEffects,
  limits: places.limits,
  "login-name": logins.loginName,
  members: places.membersOf,
  networks,
  patch: sets.patch,
  peers,
  "plain-listener": sets.plainListener,
  "pod-parts": sets.podParts,
  "pod-patch": sets.podPatch,
  preparation: places.preparation,
  preset: sets.preset,
  principals: logins.principals,
  "root-accounts": sets.accountsOfRoot,
  sleep: places.sleep,
  subjects: sets.subjects,
  tokens: sets.issuer,
  volumes: sets.volumes,
};
