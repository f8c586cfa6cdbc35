/** The example program, previewed with no cluster reachable. */
import { expect, it } from "vitest";
import example from "../../examples/dev-container-any-image/index.ts";
import { noCluster, testStack } from "../support/engine.ts";

it("the example of an unmodified image previews without a cluster", async () => {
  const { stack, removeState } = await testStack(async () => example(), {
    env: noCluster,
  });
  try {
    const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAICOp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN alice";
    await stack.setAllConfig({
      image: { value: "registry.example.com/team/app:3.2.0" },
      sshdBundle: { value: "registry.example.com/team/sshd-bundle:1.0.0" },
      hostKeySeed: { value: "only-for-tests-0123456789abcdef0123456789abcdef", secret: true },
    });
    await stack.setConfig("authorizedKeys[0]", { value: key }, true);
    // The stack itself, the namespace, the component and its ten children.
    expect((await stack.preview()).changeSummary).toEqual({ create: 13 });
  } finally {
    await removeState();
  }
});
