import { expect, it } from "vitest";
import { hostSshpodAccess } from "../host/objects.ts";
import type { DevContainerInput } from "./args.ts";
import { gateway, planOf } from "./plan.fixture.ts";

const access = { sshpod: { users: ["alice"] } };

/** Each rule as its resource and the pods it is for. */
function rulesOf(args: Partial<DevContainerInput>): string[] {
  const rules = hostSshpodAccess(planOf(args))?.role.rules as unknown as {
    resources: string;
    resourceNames: string;
  }[];
  return rules.map((rule) => `${rule.resources} ${rule.resourceNames}`);
}

it("is a right for this pod alone, with exec only where no sshd runs in it", () => {
  expect(rulesOf({ access })).toEqual(["pods dev1-0", "pods/portforward dev1-0"]);
  expect(rulesOf({ access, ssh: { mode: "none" } })).toEqual([
    "pods dev1-0",
    "pods/exec dev1-0",
    "pods/portforward dev1-0",
  ]);
});

it("is given to nobody by default", () => {
  expect(hostSshpodAccess(planOf({ access: { gateway } }))).toBeUndefined();
});
