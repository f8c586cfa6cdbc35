/** How many connections one client may open: a flood from one address must not keep the others out. */
import type { z } from "zod";
import { strict } from "./schema.ts";
import { whole } from "./shapes.ts";

const rate = (connectionsPerMinute: number, burst: number) =>
  strict({
    connectionsPerMinute: whole(1, 1_000_000, "connections per minute").default(connectionsPerMinute),
    burst: whole(1, 1_000_000, "connections").default(burst),
  }).prefault({});

const limits = (ofContainer: ReturnType<typeof rate>) =>
  strict({ perClient: rate(300, 300), perClientAndContainer: ofContainer });

/**
 * The limits to one container are sized with sshd's own (container/sshd-config.ts): two proxies and frps let 2 × (30 + 20 ×
 * 30 s) + (4 + 30 × 30 s) = 99 connections of one address wait for their login at one sshd, which refuses none before its
 * hundredth. A loop of one person's does not meet them: a gateway slows it down before (gateway/limits.ts), and frps lets it
 * wait for its turn.
 */
export const clientLimitsSchema = limits(rate(20, 30));
export const frpClientLimitsSchema = limits(rate(30, 4));

export type ClientLimits = z.output<typeof clientLimitsSchema>;
export type Rate = ClientLimits["perClient"];
