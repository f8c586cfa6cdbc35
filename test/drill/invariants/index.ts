import type { Invariant } from "../invariant.ts";
import { undeclaredRefused } from "./doors.ts";
import { homesStay } from "./homes.ts";
import { isolationHolds } from "./isolation.ts";
import { removedKeysStayOut } from "./keys.ts";
import { listAgrees } from "./list.ts";
import { hostKeysStay, loginsWork } from "./logins.ts";
import { sessionsHold } from "./sessions.ts";
import { stateAgrees } from "./state.ts";
import { storageServes } from "./storage.ts";

/** What a drill holds to be true; logins come first, see `lookAt`. */
export const invariants: readonly Invariant[] = [
  loginsWork,
  sessionsHold,
  hostKeysStay,
  removedKeysStayOut,
  homesStay,
  storageServes,
  undeclaredRefused,
  isolationHolds,
  stateAgrees,
  listAgrees,
];
