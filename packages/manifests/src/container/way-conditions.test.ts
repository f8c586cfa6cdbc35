import { describe, expect, it } from "vitest";
import type { DevContainerInput } from "./args.ts";
import { gateway, planOf } from "./plan.fixture.ts";
import { wayConditions } from "./way-conditions.ts";

/** `Type` of what holds, `Type: Reason` of what does not. */
const told = (args: Partial<DevContainerInput>, gatewayAddress?: string) =>
  wayConditions(planOf(args), gatewayAddress).map(({ type, status, reason }) =>
    status ? type : `${type}: ${reason}`,
  );

describe("ways in", () => {
  it("are told one by one", () => {
    const access = { sshpod: { users: ["alice"] } };
    expect(told({ access: { gateway, ...access } }, "192.0.2.7")).toEqual(["GatewayRoute", "SshpodGranted"]);
    expect(told({ access: { gateway } })).toEqual(["GatewayRoute: NoAddress", "SshpodGranted: NobodyNamed"]);
  });

  it("are only those that the container has", () => {
    expect(told({ access: { sshpod: { users: ["alice"] } } })).toEqual(["SshpodGranted"]);
    expect(told({ ssh: { mode: "none" }, authorizedKeys: [] })).toEqual(["SshpodGranted: NobodyNamed"]);
  });
});
