import { expect, it } from "vitest";
import { parseArgs } from "../common/args-error.ts";
import { frpClientLimitsSchema } from "../common/client-limits.ts";
import { sshGatewaySchema } from "../gateway/args.ts";
import { planSshGateway } from "../gateway/plan.ts";
import { sshdConfig } from "../sshd/sshd-config.ts";
import { planOf } from "./plan.fixture.ts";

it("lets one address hold fewer connections than sshd refuses any from, by default", () => {
  const args = { domain: "dev.example.com", loadBalancer: { preset: "generic" } };
  const gateway = planSshGateway("ssh", parseArgs("SshGateway", "ssh", sshGatewaySchema, args));
  const { connectionLimits: limits, replicas = 0, listeners } = gateway;
  const config = sshdConfig(planOf());
  const number = (pattern: RegExp) => Number(pattern.exec(config)?.[1]);
  const grace = number(/^LoginGraceTime (\d+)$/m);
  const waiting = ({ burst = 0, connectionsPerMinute = 0 } = {}) =>
    burst + (connectionsPerMinute * grace) / 60;
  const byGateway = replicas * listeners.length * waiting(limits?.perClientAndContainer);
  expect(byGateway + waiting(frpClientLimitsSchema.parse({}).perClientAndContainer)).toBe(99);
  expect(number(/^MaxStartups (\d+):30:200$/m)).toBe(100);
});
