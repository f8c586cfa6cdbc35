/** How many connections one client may open: a flood from one address must not keep the others out. */
import { arg, group } from "../../kit/arg.ts";
import { input } from "../../kit/schema.ts";
import { whole } from "../../kit/shapes.ts";

const rate = (connectionsPerMinute: number, burst: number) =>
  group("RateArgs", "A rate with a burst: a bucket that is full at first and refilled evenly.", {
    connectionsPerMinute: arg(
      input(whole(1, 1_000_000, "connections per minute")).default(connectionsPerMinute),
      "New connections per minute in the long run.",
      { default: "" },
    ),
    burst: arg(
      input(whole(1, 1_000_000, "connections")).default(burst),
      "New connections at once, as when everybody in an office behind one address comes back after a break.",
      { default: "" },
    ),
  }).prefault({});

const limits = (ofContainer: ReturnType<typeof rate>) =>
  group(
    "ClientLimitsArgs",
    "Limits for each client address (for IPv6, each network of 64 bits). Behind a LoadBalancer that hides its " +
      "clients' addresses all clients are one: have it keep the addresses, or raise the limits.",
    {
      perClient: arg(
        rate(300, 300),
        "Connections to whichever container, those that are refused for another reason among them.",
        { default: "300 a minute, 300 at once" },
      ),
      perClientAndContainer: arg(
        ofContainer,
        "Connections to one container. Beyond a third of the burst a gateway slows a client down, so that " +
          "a loop stays below the limit; an FrpServer lets it wait for its turn, up to a minute. Sized so " +
          "that one address cannot use up the connections that the container's sshd keeps waiting for their " +
          "login (`ssh.maxStartups`): proxies × listeners × (burst + connectionsPerMinute × " +
          "loginGraceSeconds / 60), and the same once more for frp, must stay below half of that.",
        { default: "at a gateway 20 a minute, 30 at once; at an FrpServer 30 a minute, 4 at once" },
      ),
    },
  );

/**
 * The limits to one container are sized with sshd's own (`MaxStartups` in sshd/sshd-config.ts), for two proxies and frps, and
 * logins that take half a minute: 2 × (30 + 20 / 2) + (4 + 30 / 2) = 99 connections of one address wait for their login at one
 * sshd, which refuses none before its hundredth. A loop of one person's does not meet them: a gateway slows it down before
 * (istio/client-limits.ts), and frps lets it wait for its turn.
 */
export const clientLimitsSchema = limits(rate(20, 30));
export const frpClientLimitsSchema = limits(rate(30, 4));
