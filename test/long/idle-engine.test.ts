/** Sleep and wake of containers with containers inside: what idle.test.ts asks of every other. */
import { giveEnginesToAll } from "../support/lab/cluster.ts";
import { loadEngineImages } from "./engine-stack.fixture.ts";

giveEnginesToAll();
await loadEngineImages();
await import("../lab/idle.test.ts");
