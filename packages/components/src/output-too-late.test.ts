/** Arguments that decide which objects there are must be plain data, no Outputs. */
import type { ArgsError } from "@drawbridge-iac/manifests";
import * as pulumi from "@pulumi/pulumi";
import { expect, it } from "vitest";
import { DevContainer } from "./dev-container.ts";
import { SshGateway } from "./ssh-gateway.ts";

function faults(make: () => unknown): string[] {
  try {
    make();
    return [];
  } catch (error) {
    return (error as ArgsError).issues.map(({ path, code }) => `${path}: ${code}`);
  }
}

it("an Output where plain data is needed says what to write", () => {
  const later = pulumi.output("team-a");
  const container = {
    namespace: "team-a",
    ports: later,
    image: "registry.example.com/dev:1",
    authorizedKeys: pulumi.output([]),
    hostKey: { seed: "only-for-tests-0123456789abcdef0123456789abcdef" },
    access: { sshpod: { users: ["alice"] } },
    running: pulumi.output(true),
  };
  expect(faults(() => new DevContainer("dev1", container as never))).toEqual([
    "ports: output-too-late",
    "running: output-too-late",
  ]);
  const gateway = {
    domain: "dev.example.com",
    replicas: later,
    loadBalancer: { preset: "generic" },
    listeners: later,
  };
  expect(faults(() => new SshGateway("ssh", gateway as never))).toEqual([
    "listeners: output-too-late",
    "replicas: output-too-late",
  ]);
});
