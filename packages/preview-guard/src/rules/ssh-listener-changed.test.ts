import { expect, it } from "vitest";
import { change } from "../sample.fixture.ts";
import { sshListenerChanged } from "./ssh-listener-changed.ts";

const of = "SshGateway ssh";

it.each(["EnvoyFilter", "Gateway", "AuthorizationPolicy"])("refuses a changed or deleted %s", (kind) => {
  for (const op of ["update", "delete", "replace"]) {
    const fields = { of, op, before: { spec: { a: 1 } }, after: { spec: { a: 2 } } };
    expect(sshListenerChanged.check(change(kind, "ssh-x", fields))).toEqual([
      `${kind} ssh-x of gateway ssh would change, which ends every open session on it after the drain time`,
    ]);
  }
});

it("lets a gateway be made and its other objects change, and a container's route", () => {
  const labels = (version: string) => ({ metadata: { labels: { version } }, spec: { a: 1 } });
  expect(
    sshListenerChanged.check(change("Gateway", "ssh-x", { of, before: labels("1"), after: labels("2") })),
  ).toEqual([]);
  expect(sshListenerChanged.check(change("Gateway", "ssh-listeners", { of, op: "create" }))).toEqual([]);
  expect(sshListenerChanged.check(change("Deployment", "ssh-proxy", { of }))).toEqual([]);
  expect(sshListenerChanged.check(change("VirtualService", "dev1", { of: "DevContainer dev1" }))).toEqual([]);
  expect(sshListenerChanged.check(change("Gateway", "web", { of: "StorageProxy web" }))).toEqual([]);
});
