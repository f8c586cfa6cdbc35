import type { Invariant } from "../invariant.ts";
import { undeclaredRefused } from "./doors.ts";
import { homesStay } from "./homes.ts";
import { hostKeysStay, loginsWork } from "./logins.ts";
import { sessionsHold } from "./sessions.ts";
import { storageServes } from "./storage.ts";
import { wallsHold } from "./walls.ts";

/** What a drill holds to be true, in the order in which it looks: who cannot log in cannot be asked for more. */
export const invariants: readonly Invariant[] = [
  loginsWork,
  sessionsHold,
  hostKeysStay,
  homesStay,
  storageServes,
  undeclaredRefused,
  wallsHold,
];
