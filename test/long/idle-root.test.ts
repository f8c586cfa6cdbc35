/** Sleep and wake of containers with root: what idle.test.ts asks of every other. */
import { giveRootToAll } from "../support/lab/cluster.ts";

giveRootToAll();
await import("../lab/idle.test.ts");
