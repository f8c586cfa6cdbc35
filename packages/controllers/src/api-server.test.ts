/** The client on a real socket, and a server that does whatever a server can do. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ApiError, TooMuch } from "@drawbridge-iac/drawbridge/src/kubernetes/api";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Kubernetes, kubernetes, pages } from "./api-server.ts";
import { Unreadable } from "./read.ts";

const folder = mkdtempSync(join(tmpdir(), "drawbridge-api-"));
const timeoutSeconds = 0.3;
let answer: (response: ServerResponse) => void;
const asked: string[] = [];
const server = createServer((message, response) => {
  asked.push(message.url ?? "");
  answer(response);
});
let api: Kubernetes;

beforeAll(async () => {
  writeFileSync(join(folder, "token"), "t");
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  api = kubernetes({ server: `http://127.0.0.1:${port}`, folder, userAgent: "test", timeoutSeconds });
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

const text = (status: number, body: string) => (response: ServerResponse) => {
  response.writeHead(status).end(body);
};
const dribble = (response: ServerResponse) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write("x"), 20);
  response.on("close", () => clearInterval(timer));
};

const late = "the API server does not answer within 0.3 s";
it.each([
  ["nothing", () => {}, late],
  ["a beginning", (response: ServerResponse) => void response.writeHead(200).write("{"), late],
  ["a dribble", dribble, late],
  ["an end", (response: ServerResponse) => response.destroy(), "socket hang up"],
  ["no JSON", text(200, '{"half":'), /JSON/],
  ["a refusal", text(403, '{"message":"exceeded quota"}'), "exceeded quota"],
  ["a refusal without words", text(429, ""), "the API server answered 429"],
  ["a refusal that is null", text(500, "null"), "null"],
  ["a redirection", text(302, "<html>"), "<html>"],
  ["a refusal in many words", text(422, JSON.stringify({ message: "m".repeat(9999) })), /^m{1000}$/],
])("an answer that is %s ends soon, in a sentence", async (_what, how, sentence) => {
  answer = how;
  const begun = performance.now();
  for (const call of [() => api.get("/x"), () => api.send("PATCH", "/x", [])]) {
    await expect(call()).rejects.toThrow(sentence);
  }
  expect(performance.now() - begun).toBeLessThan(3000);
});

it("takes no more than it was told to", async () => {
  answer = text(200, "x".repeat(5000));
  await expect(api.text("/log", 1000)).rejects.toThrow(TooMuch);
  expect(await api.text("/log", 5000)).toBe("x".repeat(5000));
});

const signal = new AbortController().signal;
async function watched(): Promise<{ types: string[]; end: unknown }> {
  const types: string[] = [];
  try {
    for await (const { type } of api.watch("/x?watch=1", signal)) types.push(type);
    return { types, end: undefined };
  } catch (end) {
    return { types, end };
  }
}
const event = (type: unknown) => `${JSON.stringify({ type, object: {} })}\n`;

it.each<[string, string, string[], unknown]>([
  [
    "events, the last without an end",
    `${event("ADDED")}\n${event("DELETED")}{"type":`,
    ["ADDED", "DELETED"],
    undefined,
  ],
  ["no JSON between them", `${event("ADDED")}garbage\n${event("ADDED")}`, ["ADDED"], expect.any(SyntaxError)],
  ["null", `${event("ADDED")}null\n`, ["ADDED"], expect.any(Unreadable)],
  ["another type", event("constructor"), [], expect.any(Unreadable)],
  ["a type that is none", event(["ADDED"]), [], expect.any(Unreadable)],
])("a watch of %s gives what came before", async (_what, body, types, end) => {
  answer = text(200, body);
  expect(await watched()).toEqual({ types, end });
});

it("a watch ends that is refused, that never begins, or that is one line without end", async () => {
  answer = text(410, "gone");
  expect((await watched()).end).toEqual(new ApiError(410, "the watch of /x?watch=1 was refused"));
  answer = () => {};
  expect((await watched()).end).toMatchObject({ name: "AbortError" });
  answer = (response) => {
    const chunk = "x".repeat(2 ** 20);
    const more = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.writeHead(200).on("drain", more);
    more();
  };
  expect((await watched()).end).toBeInstanceOf(TooMuch);
});

it("an event in pieces is one, and what comes slowly is waited for", async () => {
  answer = async (response) => {
    for (const letter of event("ADDED") + event("MODIFIED")) {
      response.write(letter);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    response.end();
  };
  expect(await watched()).toEqual({ types: ["ADDED", "MODIFIED"], end: undefined });
});

it.each([
  ["no metadata", '{"items":[]}', "the list.metadata is not an object"],
  ["items that are none", '{"items":{},"metadata":{"resourceVersion":"1"}}', "the list.items is not a list"],
])("a list with %s is none", async (_what, body, sentence) => {
  answer = text(200, body);
  await expect(pages(api, "/x?a=b").next()).rejects.toThrow(sentence);
});

it("a list without items is an empty one, and is asked for to its end", async () => {
  const bodies = [
    { items: [null, 7], metadata: { resourceVersion: "1", continue: "a/b" } },
    { items: null, metadata: { resourceVersion: "2", continue: "" } },
  ];
  answer = (response) => text(200, JSON.stringify(bodies.shift()))(response);
  asked.length = 0;
  const seen: unknown[] = [];
  for await (const page of pages(api, "/x?a=b")) seen.push(page);
  expect(seen).toEqual([
    { items: [null, 7], resourceVersion: "1" },
    { items: [], resourceVersion: "2" },
  ]);
  expect(asked).toEqual(["/x?a=b&limit=100", "/x?a=b&limit=100&continue=a%2Fb"]);
});
