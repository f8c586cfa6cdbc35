import { expect, test } from "vitest";
import { labEnvironment } from "./exec.ts";
import { layoutOf, stateDir } from "./layout.ts";
import { checkedName } from "./records.ts";

test.each(["a", "dev", "test-12345", "a2345678901234567890"])("%s is a name", (name) => {
  expect(checkedName(name)).toBe(name);
});

test.each(["", "-a", "a-", "A", "a_b", "a/b", "..", "a23456789012345678901"])(
  'fails for the name "%s"',
  (name) => {
    expect(() => checkedName(name)).toThrow(
      `"${name}" is no name for a lab: use 1 to 20 lower-case letters, digits and hyphens`,
    );
  },
);

test("the state's place can be chosen", () => {
  expect(stateDir({})).toBe("/var/lib/drawbridge-lab");
  expect(stateDir({ DRAWBRIDGE_LAB_STATE: "/elsewhere" })).toBe("/elsewhere");
});

test("a command in a lab finds the cluster, and the lab's programs after the caller's own", () => {
  const { kubeconfig, bin } = layoutOf("dev");
  expect(labEnvironment("dev", { PATH: "/usr/bin", LANG: "C", KUBECONFIG: "/mine" })).toEqual({
    LANG: "C",
    KUBECONFIG: kubeconfig,
    DRAWBRIDGE_LAB: "dev",
    PATH: `/usr/bin:${bin}`,
  });
});
