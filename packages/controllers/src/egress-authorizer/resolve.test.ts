import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, it, onTestFinished } from "vitest";
import { dnsResolver, mostAtOnce } from "./resolve.ts";

/**
 * A name server that knows one address of every name, `slow.example` after a second. Below `silent.example` it answers
 * nothing, but that `half` has an IPv4 address; of `servfail.example` and `refused.example` it knows nothing in IPv6.
 */
async function nameServer() {
  const asked: string[] = [];
  const socket = createSocket("udp4");
  const answering = new Set<NodeJS.Timeout>();
  socket.on("message", (question, { port, address }) => {
    const end = question.indexOf(0, 12) + 5;
    const name = question.toString("latin1", 13, end - 5).replaceAll(/[^-.\w]/g, ".");
    const isIPv4 = question.readUInt16BE(end - 4) === 1;
    asked.push(name);
    if (name.endsWith("silent.example") && !(name.startsWith("half") && isIPv4)) return;
    const code = isIPv4 ? 0 : ({ "servfail.example": 2, "refused.example": 5 }[name] ?? 0);
    const flags = [0x85, 0x80 + code, 0, 1, 0, isIPv4 ? 1 : 0, 0, 0, 0, 0];
    const head = Buffer.from([...question.subarray(0, 2), ...flags]);
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 1, 0, 4, 198, 51, 100, 10]);
    const answer = Buffer.concat([head, question.subarray(12, end), ...(isIPv4 ? [record] : [])]);
    const after = name === "slow.example" ? 1_000 : 0;
    answering.add(setTimeout(() => socket.send(answer, port, address), after));
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => {
    for (const one of answering) clearTimeout(one);
    socket.close();
  });
  return { resolve: dnsResolver([`127.0.0.1:${socket.address().port}`]), asked };
}

it("asks once for a name that many want at once", async () => {
  const { resolve, asked } = await nameServer();
  const answers = await Promise.all([1, 2, 3].map(() => resolve("ok.example", "a")));
  expect(answers).toEqual([["198.51.100.10"], ["198.51.100.10"], ["198.51.100.10"]]);
  // For addresses of both kinds.
  expect(asked).toEqual(["ok.example", "ok.example"]);
});

it("asks for so many names of one container at once and no more, and for another's as ever", async () => {
  const { resolve, asked } = await nameServer();
  const names = ["half", ...Array.from({ length: mostAtOnce - 1 }, (_, index) => `x${index}`)];
  const silent = names.map((name) => resolve(`${name}.silent.example`, "a"));
  const outcomes = Promise.allSettled(silent);
  await expect(resolve("ok.example", "a")).rejects.toThrow("a asks for too many names");
  expect(await resolve("ok.example", "b")).toEqual(["198.51.100.10"]);
  // What is known already is no question.
  expect(await resolve("ok.example", "a")).toEqual(["198.51.100.10"]);
  expect(new Set((await outcomes).map(({ status }) => status))).toEqual(new Set(["rejected"]));
  expect(await resolve("other.example", "a")).toEqual(["198.51.100.10"]);
  expect(new Set(asked).size).toBe(mostAtOnce + 2);
});

it("waits for a name server that is slow for a moment, though it answered at once before", async () => {
  const { resolve } = await nameServer();
  for (let turn = 0; turn < 5; turn += 1) await resolve(`quick${turn}.example`, "a");
  expect(await resolve("slow.example", "a")).toEqual(["198.51.100.10"]);
});

it("is unsure of a name while nobody says whether it has addresses of the other kind", async () => {
  const { resolve } = await nameServer();
  await expect(resolve("servfail.example", "a")).rejects.toThrow("ESERVFAIL");
  expect(await resolve("refused.example", "a")).toEqual(["198.51.100.10"]);
});
