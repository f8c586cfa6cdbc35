/** What one lives in, where containers are started inside: what container.test.ts asks of every other. */
import { giveEnginesToAll } from "../support/lab/cluster.ts";
import { loadEngineImages } from "./engine-stack.fixture.ts";

giveEnginesToAll();
await loadEngineImages();
await import("../lab/container.test.ts");
