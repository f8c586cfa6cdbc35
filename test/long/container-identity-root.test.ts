/** Who may log in, and to whom, where containers have root: host key rotation, a user CA, revocation, keys changed in place. */
import { giveRootToAll } from "../support/lab/cluster.ts";

giveRootToAll();
await import("./container-identity.test.ts");
