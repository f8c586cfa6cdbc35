import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { expect, it, vi } from "vitest";
import { farewell, greetingOf, held } from "./speak-to-client.ts";
import type { Arrival } from "./wait-for-sshd.ts";

it.each([
  ["OpenSSH", "SSH-2.0-OpenSSH_10.0p2 Debian-7\r\n\x00\x00", "SSH-2.0-OpenSSH_10.0p2 Debian-7"],
  ["one that ends its line in the old way", "SSH-2.0-x\n", "SSH-2.0-x"],
  ["nothing yet", "", undefined],
  ["the beginning of a greeting", "SSH-2.0-Open", undefined],
  ["the beginning of its beginning", "SS", undefined],
  ["HTTP", "GET / HTTP/1.1\r\n", false],
  ["TLS", "\x16\x03\x01\x02\x00", false],
  ["another version", "SSH-1.5-old\r\n", false],
  ["a greeting without a name", "SSH-2.0-\r\n", false],
  ["a greeting without an end", `SSH-2.0-${"x".repeat(300)}`, false],
  ["control characters", "SSH-2.0-a\x1b[2J\r\n", false],
])("reads %s", (_, text, greeting) => {
  expect(greetingOf(Buffer.from(text, "latin1"))).toBe(greeting);
});

it.each([0, 1, 7, 8, 100])("says why in a packet as RFC 4253 has it, with a reason of %i bytes", (length) => {
  const bytes = farewell("é".repeat(length));
  const [line = "", rest] = [bytes.toString("latin1").split("\r\n")[0], bytes.subarray(20)];
  expect(line).toBe("SSH-2.0-drawbridge");
  const [size, padding] = [rest.readUInt32BE(0), rest.readUInt8(4)];
  expect(rest.length).toBe(size + 4);
  expect(rest.length % 8).toBe(0);
  expect(padding).toBeGreaterThanOrEqual(4);
  const payload = rest.subarray(5, rest.length - padding);
  expect([payload.readUInt8(0), payload.readUInt32BE(1), payload.readUInt32BE(5)]).toEqual([
    1,
    7,
    2 * length,
  ]);
  expect(payload.subarray(9, 9 + 2 * length).toString()).toBe("é".repeat(length));
});

it("tells a waiting client each new reason in a line, no longer and no more of them than every client skips", async () => {
  vi.useFakeTimers();
  try {
    const lines: string[] = [];
    const socket = Object.assign(new EventEmitter(), { write: (line: string) => lines.push(line) });
    let reason = 0;
    const waits = held(socket as never as Socket, {
      name: "dev1",
      arrival: { fault: undefined, address: new Promise(() => {}) } as never as Arrival,
      seconds: 20,
      // A new one at each of 40 looks, with what no terminal is to see.
      problem: () => `${reason++}\r\n\x1b[2Jé${"x".repeat(300)}`,
    });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await waits).toEqual({ fault: expect.stringMatching(/^it did not start within 20 s: 39\r/) });
    expect(lines).toEqual(
      Array.from(
        { length: 20 },
        (_, index) => `${`drawbridge: dev1: ${index}   [2J ${"x".repeat(300)}`.slice(0, 237)}...\r\n`,
      ),
    );
  } finally {
    vi.useRealTimers();
  }
});
