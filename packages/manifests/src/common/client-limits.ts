/** How many connections one client may open: a flood from one address must not keep the others out. */
import type { z } from "zod";
import { strict } from "./schema.ts";
import { whole } from "./shapes.ts";

const rate = (connectionsPerMinute: number, burst: number) =>
  strict({
    connectionsPerMinute: whole(1, 1_000_000, "connections per minute").default(connectionsPerMinute),
    burst: whole(1, 1_000_000, "connections").default(burst),
  }).prefault({});

/**
 * The second default is sized with sshd's own (container/sshd-config.ts): two proxies and frps let 3 × (15 + 30 × 30 s)
 * = 90 connections of one address wait for their login at one sshd, which refuses none before its hundredth.
 */
export const clientLimitsSchema = strict({
  perClient: rate(300, 300),
  perClientAndContainer: rate(30, 15),
});

export type ClientLimits = z.output<typeof clientLimitsSchema>;
export type Rate = ClientLimits["perClient"];
