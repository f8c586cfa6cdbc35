/** Sleep and wake of containers with containers inside: what idle.test.ts asks of every other. */
import { giveEnginesToAll } from "../support/cluster.ts";
import { loadEngineImages } from "../support/engine-stack.ts";

giveEnginesToAll();
await loadEngineImages();
await import("../lab/idle.test.ts");
