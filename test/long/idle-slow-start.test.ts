/** A pod that takes long to start has an address before its sshd listens: anyone who comes then waits like the first. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { eventually, getObject } from "../../scripts/lib/lab/lab.ts";
import { byHand, IdleStack, quickStop } from "../support/stacks/idle-stack.ts";

const startSeconds = 20;
// The more wait at the activator, the rather the gateway tries the pod.
const logins = 48;

let idle: IdleStack;
beforeAll(async () => {
  idle = await IdleStack.create("team-slow-start");
  const image = imageRef("devcontainer");
  const slow = { name: "slow", image, command: ["sleep", String(startSeconds)] };
  const resources = { requests: { cpu: "5m" }, memory: "512Mi" };
  await idle.up({
    dev: { idle: byHand, ...quickStop, pod: { ...quickStop.pod, initContainers: [slow] }, resources },
  });
  await idle.login("dev");
});
afterAll(() => idle.close());

it("lets in everybody who comes before sshd listens", async () => {
  await idle.putToSleep("dev");
  const first = idle.wake("dev", "echo first");
  await eventually("the pod's address", async () => {
    const pod = await getObject<{ status: { podIP?: string } }>(["-n", idle.team, "pod", "dev-0"]).catch(
      () => undefined,
    );
    return pod?.status.podIP !== undefined;
  });
  // The gateway hears of the address a moment later.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const others = await Promise.all(
    Array.from({ length: logins }, async (_, index) => {
      await new Promise((resolve) => setTimeout(resolve, 150 * index));
      return idle.wake("dev", `echo ${index}`);
    }),
  );
  const said = [await first, ...others].map(({ code, stdout, stderr }) =>
    code === 0 ? stdout.trim() : `${code} ${stderr}`,
  );
  expect(said).toEqual(["first", ...others.map((_, index) => `${index}`)]);
});
