/** The example program, previewed with no cluster reachable. */
import { expect, it } from "vitest";
import example from "../../examples/dev-container-any-image/index.ts";
import { noCluster, testStack } from "../support/engine/engine.ts";
import { exampleConfig, platformBeside } from "../support/pages/examples.ts";

it("the example of an unmodified image previews without a cluster", async () => {
  const { stack, removeState } = await testStack(async () => example(), {
    env: noCluster,
  });
  try {
    await stack.setAllConfig(exampleConfig, true);
    await platformBeside(stack);
    // The stack itself, the namespace, the component and its ten children.
    expect((await stack.preview()).changeSummary).toEqual({ create: 16 });
  } finally {
    await removeState();
  }
});
