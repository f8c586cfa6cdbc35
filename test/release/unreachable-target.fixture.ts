/** A container in a stack's outputs at whose address nothing listens, so that a client gets as far as connecting. */
import { sshTarget } from "../../packages/cli/src/ssh-target.fixture.ts";

export const unreachableTarget = {
  ...sshTarget(),
  ways: [{ way: "gateway", address: "127.0.0.1", port: 1 }],
};
