/** How many connections one client may open: a flood from one address must not keep the others out. */
import type { z } from "zod";
import { arg, group } from "./arg.ts";
import { whole } from "./shapes.ts";

const rate = (connectionsPerMinute: number, burst: number) =>
  group("RateArgs", "A rate with a burst: a bucket that is full at first and refilled evenly.", {
    connectionsPerMinute: arg(
      whole(1, 1_000_000, "connections per minute").default(connectionsPerMinute),
      "New connections per minute in the long run.",
      { default: "" },
    ),
    burst: arg(
      whole(1, 1_000_000, "connections").default(burst),
      "New connections at once, as when everybody in an office behind one address comes back after a " +
        "break.",
      { default: "" },
    ),
  }).prefault({});

/**
 * The second default is sized with sshd's own (container/sshd-config.ts): two proxies and frps let 3 × (15 + 30 × 30 s)
 * = 90 connections of one address wait for their login at one sshd, which refuses none before its hundredth.
 */
export const clientLimitsSchema = group(
  "ClientLimitsArgs",
  "Limits for each client address (for IPv6, each network of 64 bits). Behind a LoadBalancer that " +
    "hides its clients' addresses all clients are one: have it keep the addresses, or raise the " +
    "limits.",
  {
    perClient: arg(
      rate(300, 300),
      "Connections to whichever container, those that are refused for another reason among them.",
      { default: "300 a minute, 300 at once" },
    ),
    perClientAndContainer: arg(
      rate(30, 15),
      "Connections to one container. Sized so that one address cannot use up the connections that the " +
        "container's sshd keeps waiting for their login (`ssh.maxStartups`): proxies × listeners × (burst " +
        "+ connectionsPerMinute × loginGraceSeconds / 60), and the same once more for frp, must stay " +
        "below half of that.",
      { default: "30 a minute, 15 at once" },
    ),
  },
);

export type ClientLimits = z.output<typeof clientLimitsSchema>;
export type Rate = ClientLimits["perClient"];
