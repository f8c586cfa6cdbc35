/** Every scenario, in the order in which they run. */
import type { Scenario } from "../scenario.ts";
import { isolation } from "./isolation.ts";
import { preview } from "./preview.ts";
import { storage } from "./storage.ts";
import { tunnel } from "./tunnel.ts";

export const scenarios: readonly Scenario[] = [isolation, preview, tunnel, storage];
