import { createServer } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listening } from "../machine.fixture.ts";
import { storageAnswer } from "./answers.ts";

/** Answers with the status that the path names. */
const server = createServer((request, response) => {
  response.statusCode = Number(request.url?.slice(1));
  response.end();
});
let origin: string;
beforeAll(async () => {
  origin = `http://127.0.0.1:${await listening(server)}`;
});
afterAll(() => server.close());

it.each([
  [401, "answers"],
  [404, "unknown to the proxy"],
  [503, "not served now"],
  [200, "unexpected answer 200"],
])("reads %i as: %s", async (status, expected) => {
  expect(await storageAnswer(`${origin}/${status}`, undefined)).toBe(expected);
});

it("tells a storage without an accessor from an address that is closed", async () => {
  expect(await storageAnswer(undefined, undefined)).toBe("no file server");
  expect(await storageAnswer("http://127.0.0.1:1/", undefined)).toMatch(/^no answer \(.*ECONNREFUSED.*\)$/);
});
