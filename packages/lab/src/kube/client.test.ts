import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { KubeClient } from "./client.ts";
import { ApiError, UnreachableError } from "./error.ts";
import { httpTransport } from "./transport.ts";

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;
let handler: Handler;
let client: KubeClient;
let asked: string[];

const core = {
  resources: [
    { name: "configmaps", kind: "ConfigMap", namespaced: true },
    { name: "namespaces", kind: "Namespace", namespaced: false },
    { name: "namespaces/status", kind: "Namespace", namespaced: false },
  ],
};
const ref = { apiVersion: "v1", kind: "ConfigMap", name: "cm", namespace: "team" };
const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "cm", namespace: "team" } };

function answer(
  response: ServerResponse,
  code: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(code, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    if (request.url === "/api/v1") return answer(response, 200, core);
    asked.push(`${request.method} ${request.url}`);
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  client = new KubeClient(httpTransport({ server: `http://127.0.0.1:${port}`, tls: {} }));
});
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

test("paths come from discovery; a cluster-scoped kind has no namespace in its path", async () => {
  handler = (_, response) => answer(response, 200, object);
  expect(await client.get(ref)).toEqual(object);
  await client.get({ apiVersion: "v1", kind: "Namespace", name: "n", namespace: "ignored" });
  expect(asked).toEqual(["GET /api/v1/namespaces/team/configmaps/cm", "GET /api/v1/namespaces/n"]);
});

test("an unknown kind is an error, and is asked for again the next time", async () => {
  handler = (_, response) => answer(response, 200, object);
  const find = () => client.get({ ...ref, kind: "Gadget" });
  await expect(find()).rejects.toThrow('no matches for kind "Gadget" in version "v1"');
  core.resources.push({ name: "gadgets", kind: "Gadget", namespaced: true });
  await find();
  expect(asked).toEqual(["GET /api/v1/namespaces/team/gadgets/cm"]);
  core.resources.pop();
});

test("a request that only reads is repeated while the server is busy", async () => {
  const codes = [429, 503, 200];
  handler = (_, response) => answer(response, codes.shift()!, { message: "busy" });
  await client.get(ref);
  expect(asked).toHaveLength(3);
});

test("a change is sent again only if the server did nothing with it", async () => {
  const codes = [429, 500];
  handler = (_, response) =>
    answer(response, codes.shift()!, { reason: "InternalError", message: "etcd is gone" });
  await expect(client.create(object)).rejects.toThrow(new ApiError(500, "InternalError", "etcd is gone"));
  const path = "POST /api/v1/namespaces/team/configmaps?fieldManager=drawbridge-lab";
  expect(asked).toEqual([path, path]);
});

test("a server that does not run is called unreachable, with its address", async () => {
  server.close();
  server.closeAllConnections();
  await expect(client.look("/version")).rejects.toThrow(UnreachableError);
  await expect(client.look("/version")).rejects.toThrow(
    /^the Kubernetes API server http:\/\/127\.0\.0\.1:\d+ cannot be reached: connect ECONNREFUSED/,
  );
});
