import { expect, it } from "vitest";
import { hostSshTarget } from "../host/target.ts";
import { sshTargetSchema } from "../ssh/target.ts";
import { devContainerSchema } from "./args-checks.ts";
import { type KnownPlan, planDevContainer } from "./plan.ts";

const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMzn8ZsYK2ta7Ik8kk/fMV0VXJQaTnwc2OmoRjXTVvIJ";
const gateway = { name: "ssh-ingress", namespace: "ssh-ingress", domain: "dev.example.com" };

function target(ports: object, gatewayAddress?: string, further: object = {}) {
  const args = {
    namespace: "team-a",
    image: "example.com/dev:1.0.0",
    authorizedKeys: [`${key} alice`],
    hostKey: { seed: "x".repeat(32) },
    access: { gateway: { ...gateway, ...ports } },
    ...further,
  };
  const plan = planDevContainer("dev1", devContainerSchema.parse(args)) as KnownPlan;
  return hostSshTarget(plan, {
    hostKeys: [key],
    ...(gatewayAddress === undefined ? {} : { gatewayAddress }),
  });
}

const sshpod = { way: "sshpod", pod: "dev1-0", namespace: "team-a" };

it("says all that a client must know, in the form that the command reads", () => {
  const made = target({ plainPort: 80 }, "192.0.2.7");
  expect(made).toEqual({
    kind: "drawbridge/ssh-target/v1",
    name: "dev1",
    namespace: "team-a",
    user: "jovyan",
    hostName: "dev1.team-a.dev.example.com",
    port: 22,
    hostKeys: [key],
    ways: [{ way: "gateway", address: "192.0.2.7", port: 80, tls: false, mutual: false }, sshpod],
    home: "/home/jovyan",
  });
  expect(sshTargetSchema.parse(made)).toEqual(made);
});

it("says so where the stack has switched the container off, and else nothing", () => {
  expect(target({ plainPort: 80 }, "192.0.2.7")).not.toHaveProperty("running");
  const off = target({ plainPort: 80 }, "192.0.2.7", { running: false });
  expect(off.running).toBe(false);
  expect(sshTargetSchema.parse(off)).toEqual(off);
});

it("goes by TLS where there is TLS, never by plain beside it, under a name that the certificate bears", () => {
  const both = { plainPort: 80, tlsPort: 443, mutualTls: true };
  const way = { way: "gateway", port: 443, tls: true, mutual: true };
  expect(target(both, "192.0.2.7").ways).toEqual([
    { ...way, address: "192.0.2.7", serverName: "ssh-ingress.dev.example.com" },
    sshpod,
  ]);
  expect(target(both, "gate.dev.example.com").ways).toEqual([
    { ...way, address: "gate.dev.example.com" },
    sshpod,
  ]);
});

it("leaves the gateway out while its address is not known", () => {
  expect(target({ plainPort: 80 }).ways).toEqual([sshpod]);
});
