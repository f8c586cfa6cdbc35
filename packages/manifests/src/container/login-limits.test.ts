import { expect, it } from "vitest";
import { parseArgs } from "../common/args-error.ts";
import { frpClientLimitsSchema } from "../common/client-limits.ts";
import { sshGatewaySchema } from "../gateway/args-checks.ts";
import { planSshGateway } from "../gateway/plan.ts";
import { sshdConfig } from "../sshd/sshd-config.ts";
import { planOf } from "./plan.fixture.ts";

it("keeps one address, by default, below the number of connections from which sshd refuses some", () => {
  const args = { domain: "dev.example.com", loadBalancer: { preset: "generic" } };
  const gateway = planSshGateway("ssh", parseArgs("SshGateway", "ssh", sshGatewaySchema, args));
  const { connectionLimits: limits, replicas = 0, listeners } = gateway;
  const config = sshdConfig(planOf());
  const numberIn = (pattern: RegExp) => Number(pattern.exec(config)?.[1]);
  const graceSeconds = numberIn(/^LoginGraceTime (\d+)$/m);
  const waiting = ({ burst = 0, connectionsPerMinute = 0 } = {}) =>
    burst + (connectionsPerMinute * graceSeconds) / 60;
  const byGateway = replicas * listeners.length * waiting(limits?.perClientAndContainer);
  expect(byGateway + waiting(frpClientLimitsSchema.parse({}).perClientAndContainer)).toBe(99);
  expect(numberIn(/^MaxStartups (\d+):30:200$/m)).toBe(100);
});
