import { describe, expect, it } from "vitest";
import type { DevContainerInput } from "../../dev-container/args.ts";
import { planOf, seed } from "../../dev-container/plan.fixture.ts";
import { parseArgs } from "../../kit/args-error.ts";
import type { Settled } from "../../kit/input.ts";
import { sshGatewaySchema } from "../../ssh-gateway/args-checks.ts";
import { planSshGateway } from "../../ssh-gateway/plan.ts";
import { frpClientLimitsSchema } from "../ways/client-limits.ts";
import { sshdConfig } from "./sshd-config.ts";

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
