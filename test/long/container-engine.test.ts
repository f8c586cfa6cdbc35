/** What one lives in, where containers are started inside: what container.test.ts asks of every other. */
import { giveEnginesToAll } from "../support/cluster.ts";
import { loadEngineImages } from "../support/engine-stack.ts";

giveEnginesToAll();
await loadEngineImages();
await import("../lab/container.test.ts");
