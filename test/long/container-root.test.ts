/** What every container does, done by containers with root: sessions, keys, host key, walls, eviction, removal. */
import { giveRootToAll } from "../support/lab/cluster.ts";

giveRootToAll();
await import("../lab/container.test.ts");
