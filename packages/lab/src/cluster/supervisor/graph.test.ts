import { expect, test } from "vitest";
import { runSteps, type Step } from "./graph.ts";

function recorder() {
  const log: string[] = [];
  const step = (name: string, ...after: string[]): Step => ({
    name,
    after,
    run: async () => {
      log.push(`${name} begins`);
      await Promise.resolve();
      log.push(`${name} ends`);
    },
  });
  return { log, step };
}

test("a step begins when those before it have ended, whatever the order of the list", async () => {
  const { log, step } = recorder();
  await runSteps([step("c", "a", "b"), step("b", "a"), step("a")]);
  expect(log).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

test("steps that do not depend on each other run side by side", async () => {
  const { log, step } = recorder();
  await runSteps([step("a"), step("b")]);
  expect(log).toEqual(["a begins", "b begins", "a ends", "b ends"]);
});

test("times are told for each step once", async () => {
  const { step } = recorder();
  const names: string[] = [];
  await runSteps([step("a"), step("b", "a")], ({ name }) => names.push(name));
  expect(names).toEqual(["a", "b"]);
});

test("fails with the name of the step, and does not begin what comes after it", async () => {
  const { log, step } = recorder();
  const broken: Step = { name: "etcd", after: [], run: () => Promise.reject(new Error("port in use")) };
  await expect(runSteps([broken, step("kube-apiserver", "etcd")])).rejects.toThrow("etcd: port in use");
  expect(log).toEqual([]);
});

test("fails for a circle and for a step that does not exist", async () => {
  const { step } = recorder();
  await expect(runSteps([step("a", "b"), step("b", "a")])).rejects.toThrow(
    "steps wait for each other: a -> b -> a",
  );
  await expect(runSteps([step("a", "x")])).rejects.toThrow('a comes after "x", which is no step');
});
