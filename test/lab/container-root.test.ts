/** What every container does, done by containers with root: sessions, keys, host key, clients, walls, status, eviction. */
import { describe } from "vitest";
import { giveRootToAll } from "../support/cluster.ts";

giveRootToAll();
describe("container", () => import("./container.test.ts") as unknown as Promise<void>);
describe("container-identity", () => import("./container-identity.test.ts") as unknown as Promise<void>);
describe("container-client", () => import("./container-client.test.ts") as unknown as Promise<void>);
