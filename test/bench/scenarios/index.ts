/** Every scenario, in the order in which they run. */
import type { Scenario } from "../../../scripts/lib/bench-report/scenario.ts";
import { cluster } from "./cluster.ts";
import { crowd } from "./crowd.ts";
import { egress } from "./egress.ts";
import { preview } from "./preview.ts";
import { reach } from "./reach.ts";
import { start } from "./start.ts";
import { storage } from "./storage.ts";
import { survival } from "./survival.ts";
import { tunnel } from "./tunnel.ts";
import { wake } from "./wake.ts";
import { weight } from "./weight.ts";

export const scenarios: readonly Scenario[] = [
  survival,
  reach,
  preview,
  tunnel,
  crowd,
  weight,
  start,
  wake,
  storage,
  egress,
  // The last one: its thousand containers take minutes to go.
  cluster,
];
