/** Every scenario, in the order in which they run. */
import type { Scenario } from "../scenario.ts";
import { preview } from "./preview.ts";
import { storage } from "./storage.ts";
import { tunnel } from "./tunnel.ts";

export const scenarios: readonly Scenario[] = [preview, tunnel, storage];
