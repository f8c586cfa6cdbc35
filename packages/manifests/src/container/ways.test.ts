import { describe, expect, it } from "vitest";
import type { DevContainerInput } from "./args.ts";
import { containerArgs } from "./frpc.fixture.ts";
import { gateway, planOf } from "./plan.fixture.ts";
import { wayConditions } from "./ways.ts";

/** `Type` of what holds, `Type: Reason` of what does not. */
const told = (args: Partial<DevContainerInput>, readyPods: number, gatewayAddress?: string) =>
  wayConditions(planOf(args), { readyPods, gatewayAddress }).map(({ type, status, reason }) =>
    status ? type : `${type}: ${reason}`,
  );

describe("ways in", () => {
  it("are told one by one, in the order in which clients try them", () => {
    const access = { sshpod: { users: ["alice"] } };
    expect(told({ access: { gateway, ...access } }, 1, "192.0.2.7")).toEqual([
      "SshReady",
      "GatewayRoute",
      "SshpodGranted",
    ]);
    expect(told({ access: { gateway } }, 0)).toEqual([
      "SshReady: NotListening",
      "GatewayRoute: NoAddress",
      "SshpodGranted: NobodyNamed",
    ]);
  });

  it("say that the stack has switched the container off, whatever still runs", () => {
    const sshpod = "SshpodGranted: NobodyNamed";
    const off = ["SshReady: SwitchedOff", "GatewayRoute", sshpod];
    expect(told({ access: { gateway }, running: false }, 0, "192.0.2.7")).toEqual(off);
    expect(told({ access: { gateway }, running: false }, 1, "192.0.2.7")).toEqual(off);
  });

  it("are only those that the container has", () => {
    expect(told({ access: { sshpod: { users: ["alice"] } } }, 1)).toEqual(["SshReady", "SshpodGranted"]);
    expect(told({ ssh: { mode: "none" }, authorizedKeys: [] }, 1)).toEqual(["SshpodGranted: NobodyNamed"]);
  });

  it("hold frp's as far as the pod tells", () => {
    const frp = {
      ...containerArgs(),
      access: { gateway, ...containerArgs().access },
    } as Partial<DevContainerInput>;
    const sshpod = "SshpodGranted: NobodyNamed";
    expect(told(frp, 1, "192.0.2.7")).toEqual(["SshReady", "GatewayRoute", "FrpcRunning", sshpod]);
    expect(told(frp, 0, "192.0.2.7")).toEqual([
      "SshReady: NotListening",
      "GatewayRoute",
      "FrpcRunning: NotRunning",
      sshpod,
    ]);
  });
});
