import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { loadConnection } from "./kubeconfig.ts";

const folder = mkdtempSync(join(tmpdir(), "drawbridge-kubeconfig-"));
afterAll(() => rmSync(folder, { recursive: true }));

const base64 = (text: string) => Buffer.from(text).toString("base64");
const config = (user: object, more: object = {}) =>
  JSON.stringify({
    clusters: [{ name: "c", cluster: { server: "https://api.example.com:6443/", ...more } }],
    users: [{ name: "u", user }],
    contexts: [
      { name: "one", context: { cluster: "c", user: "u", namespace: "team" } },
      { name: "two", context: { cluster: "c", user: "u" } },
    ],
    "current-context": "one",
  });

test("a certificate user's connection, with everything inside the kubeconfig", () => {
  const user = { "client-certificate-data": base64("CERT"), "client-key-data": base64("KEY") };
  const connection = loadConnection({
    kubeconfig: config(user, { "certificate-authority-data": base64("CA") }),
  });
  expect({ ...connection, authorization: connection.authorization() }).toEqual({
    server: "https://api.example.com:6443",
    namespace: "team",
    tls: { ca: "CA", cert: "CERT", key: "KEY", rejectUnauthorized: true },
    authorization: undefined,
  });
});

test("files are found beside the kubeconfig, and a renewed token is used", () => {
  const path = join(folder, "config");
  writeFileSync(path, config({ tokenFile: "token" }, { "certificate-authority": "ca.crt" }));
  writeFileSync(join(folder, "ca.crt"), "CA");
  writeFileSync(join(folder, "token"), "first\n");
  const connection = loadConnection({ kubeconfig: path, context: "two" });
  expect(connection.namespace).toBe("default");
  expect(connection.tls.ca).toBe("CA");
  expect(connection.authorization()).toBe("Bearer first");
  writeFileSync(join(folder, "token"), "second\n");
  expect(connection.authorization()).toBe("Bearer second");
});

test.each([
  [config({}), "three", 'the kubeconfig has no context "three"; it has "one", "two".'],
  [
    config({ exec: { command: "aws" } }),
    undefined,
    'the kubeconfig\'s user "u" logs in by "exec", which the stand-in provider does not support. Use a token or a client certificate, or install the official provider.',
  ],
  ["{}", undefined, "the kubeconfig names no current context. Set the provider's `context`."],
  ['{"clusters": 1}', undefined, "the given kubeconfig is no kubeconfig: clusters must be a list."],
  [
    "/no/such/file",
    undefined,
    "there is no kubeconfig at /no/such/file. Set KUBECONFIG or the provider's `kubeconfig`.",
  ],
])("%j, context %j is refused", (kubeconfig, context, message) => {
  expect(() => loadConnection({ kubeconfig, context })).toThrow(message);
});
