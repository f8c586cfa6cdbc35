import { type Args, below, type Trials } from "../../kit/trials.fixture.ts";
import { gateway } from "../base.trials.ts";
import { idleAccountsTrials } from "../idle/args.trials.ts";
import type { sshGatewayRefSchema } from "./gateway.ts";

const mutual = { access: { gateway: { ...gateway, tlsPort: 443, mutualTls: true } } };

/**
 * Of the ways in that every host can have.
 * @param host an `idle` of its own, if it can sleep
 */
export const accessTrials = (host: Args = {}) => ({
  ...below("access.gateway", {
    version: { value: 1, verdict: "unchanged" },
    name: { value: "gw2", verdict: "network-wall harmless loses" },
    namespace: { value: "gw2", verdict: "network-wall harmless loses" },
    domain: { value: "other.example.com", verdict: "harmless gains loses" },
    plainPort: { value: 8080, verdict: "unchanged" },
    tlsPort: { value: 443, verdict: "unchanged" },
    mutualTls: { to: mutual, verdict: "unchanged" },
    address: { value: "192.0.2.8", verdict: "unchanged" },
    teamPods: { value: true, verdict: "unchanged" },
    outsideHosts: { value: true, verdict: "unchanged" },
    selector: { value: { app: "gw" }, verdict: "network-wall harmless loses" },
    ...idleAccountsTrials(host),
  } satisfies Trials<typeof sshGatewayRefSchema>),
  "access.address": { value: "192.0.2.8", verdict: "unchanged" },
  "access.allowIdentities": {
    from: mutual,
    to: {
      access: { gateway: { plainPort: undefined }, allowIdentities: ["spiffe://example.com/user/alice"] },
    },
  },
});
