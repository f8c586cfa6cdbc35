import { describe, expect, it } from "vitest";
import type { DevContainerInput } from "../../dev-container/args.ts";
import { bobKey, planOf, seed, templateOf } from "../../dev-container/plan.fixture.ts";
import { parseArgs } from "../../kit/args-error.ts";
import { hashOf } from "../../kit/crypto.ts";
import type { Settled } from "../../kit/input.ts";
import { sshGatewaySchema } from "../../ssh-gateway/args-checks.ts";
import { planSshGateway } from "../../ssh-gateway/plan.ts";
import { frpClientLimitsSchema } from "../ways/client-limits.ts";
import { sshdFiles } from "./files.ts";
import { sshdConfig } from "./sshd-config.ts";

/** The pod of a container with these arguments. */
function podOf(args?: Partial<DevContainerInput>) {
  const { metadata, spec } = templateOf(args);
  return {
    annotations: metadata.annotations,
    init: spec.initContainers,
    main: spec.containers[0],
    volumes: spec.volumes.map(({ name }) => name),
  };
}

describe("sshd from the image", () => {
  it("never mounts the keys by subPath, which would keep changes out", () => {
    const keys = podOf().main.volumeMounts.filter(({ name }) => name === "authorized-keys");
    expect(keys).toEqual([
      { name: "authorized-keys", mountPath: "/etc/drawbridge/authorized-keys", readOnly: true },
    ]);
  });
});

describe("sshd_config", () => {
  const configOf = (args: Partial<DevContainerInput> = {}) => sshdConfig(planOf(args)).sshd_config as string;
  const lines = (args: Partial<DevContainerInput> = {}) => configOf(args).trimEnd().split("\n");

  it("keeps one address, by default, below the number of connections from which sshd refuses some", () => {
    const args = { domain: "dev.example.com", loadBalancer: { preset: "generic" } };
    const gateway = planSshGateway("ssh", parseArgs("SshGateway", "ssh", sshGatewaySchema, args));
    const { connectionLimits: limits, listeners } = gateway as Settled<typeof gateway>;
    const replicas = gateway.replicas as number;
    const config = configOf();
    const numberIn = (pattern: RegExp) => Number(pattern.exec(config)?.[1]);
    const graceSeconds = numberIn(/^LoginGraceTime (\d+)$/m);
    const waiting = ({ burst = 0, connectionsPerMinute = 0 } = {}) =>
      burst + (connectionsPerMinute * graceSeconds) / 60;
    const byGateway = replicas * listeners.length * waiting(limits?.perClientAndContainer);
    expect(
      byGateway +
        waiting(
          frpClientLimitsSchema.parse({}).perClientAndContainer as Required<Parameters<typeof waiting>[0]>,
        ),
    ).toBe(99);
    expect(numberIn(/^MaxStartups (\d+):30:200$/m)).toBe(100);
  });

  it("shows the current host key before the next one, since clients see the first", () => {
    const keys = lines({ hostKey: { seed, next: { seed, generation: 2 } } }).filter((line) =>
      line.startsWith("HostKey"),
    );
    expect(keys[0]).toBe("HostKey /run/drawbridge/ssh_host_ed25519_key");
    expect(sshdConfig({ ...planOf(), hostKey: undefined })).toEqual(sshdConfig(planOf()));
  });
});

describe("what rolls the pod", () => {
  const annotations = (args: Partial<DevContainerInput>, keys: string) =>
    JSON.stringify(templateOf(args, keys));

  it("is everything that sshd reads at start, and never the authorized keys", () => {
    const before = annotations({}, "key-1");
    expect(annotations({ authorizedKeys: [bobKey] }, "key-1")).toBe(before);
    expect(annotations({ startupScript: "#!/bin/sh\n" }, "key-1")).not.toBe(before);
    expect(annotations({}, "key-2")).not.toBe(before);
    expect(annotations({ ssh: { sessionsValidFrom: "2026-11-24T09:30:00Z" } }, "key-1")).not.toBe(before);
  });

  it("is known by a hash of the files", () => {
    const plan = planOf();
    const { annotations: own } = podOf();
    expect(own["drawbridge.dev/sshd-config"]).toBe(hashOf(sshdFiles(plan)));
    expect([own["drawbridge.dev/ssh-port"], own["drawbridge.dev/ssh-user"]]).toEqual(["22", "jovyan"]);
  });
});
