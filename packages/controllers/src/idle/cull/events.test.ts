/** Two of us look at the same containers while one is replaced by the other; only the API server is a fake. */

import { ApiError } from "@drawbridge-iac/drawbridge/src/kubernetes/api";
import { beforeEach, expect, it } from "vitest";
import type { Kubernetes } from "../../api-server.ts";
import type { Container } from "../workload.ts";
import { Events } from "./events.ts";

interface Stored {
  readonly reason?: string;
  readonly message?: string;
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}

let stored: Stored | undefined;
let sent: string[];
beforeEach(() => {
  stored = undefined;
  sent = [];
});

const api = {
  get: async () => {
    if (stored === undefined) throw new ApiError(404, "not found");
    return stored;
  },
  send: async (method: string, _: string, body: Stored) => {
    sent.push(method);
    stored = { ...stored, ...body };
  },
} as never as Kubernetes;
const container = { namespace: "team-a", name: "dev1", uid: "1" } as Container;
const idle = "idle: 0 sessions";

it("a state is written once, with its reason", async () => {
  const events = new Events(api);
  expect([
    await events.write(container, "Asleep", "idle", idle),
    await events.write(container, "Asleep", "idle"),
  ]).toEqual([true, false]);
  expect([sent, stored?.reason, stored?.message]).toEqual([["POST"], "Asleep", idle]);
});

it("who saw it awake last keeps the reason for which another put it to sleep", async () => {
  const [one, other] = [new Events(api), new Events(api)];
  for (const each of [one, other]) await each.write(container, "Awake", "session", "session: 1 sessions");
  await one.write(container, "Asleep", "idle", idle);
  expect(await other.write(container, "Asleep", "idle")).toBe(false);
  expect([stored?.reason, stored?.message]).toEqual(["Asleep", idle]);
});

it("who put it to sleep says why, also where another was faster to see it asleep", async () => {
  const [one, other] = [new Events(api), new Events(api)];
  await other.write(container, "Asleep", "idle");
  expect(stored?.message).toBe("Asleep");
  await one.write(container, "Asleep", "idle", idle);
  expect([stored?.reason, stored?.message]).toEqual(["Asleep", idle]);
});

it("what stands in the place of its own and cannot be read is written over", async () => {
  stored = { reason: "Asleep" } as Stored;
  expect(await new Events(api).write(container, "Asleep", "idle", idle)).toBe(true);
  expect([sent, stored.message]).toEqual([["PATCH"], idle]);
});
