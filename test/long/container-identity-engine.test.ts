/** Who may log in, and to whom, where containers are started inside: host key rotation, a user CA, other keys. */
import { giveEnginesToAll } from "../support/lab/cluster.ts";
import { loadEngineImages } from "./engine-stack.fixture.ts";

giveEnginesToAll();
await loadEngineImages();
await import("./container-identity.test.ts");
