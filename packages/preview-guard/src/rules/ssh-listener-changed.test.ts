import { expect, it } from "vitest";
import { change } from "../sample.ts";
import { sshListenerChanged } from "./ssh-listener-changed.ts";

const of = "SshGateway ssh";

it.each(["EnvoyFilter", "Gateway", "AuthorizationPolicy"])("refuses a changed or deleted %s", (kind) => {
  for (const op of ["update", "delete", "replace"]) {
    expect(sshListenerChanged.check(change(kind, "ssh-x", { of, op }))).toEqual([
      `${kind} ssh-x of gateway ssh would change, which ends every open session on it after the drain time`,
    ]);
  }
});

it("lets a gateway be made and its other objects change, and a container's route", () => {
  expect(sshListenerChanged.check(change("Gateway", "ssh-listeners", { of, op: "create" }))).toEqual([]);
  expect(sshListenerChanged.check(change("Deployment", "ssh-proxy", { of }))).toEqual([]);
  expect(sshListenerChanged.check(change("VirtualService", "dev1", { of: "DevContainer dev1" }))).toEqual([]);
  expect(sshListenerChanged.check(change("Gateway", "web", { of: "StorageProxy web" }))).toEqual([]);
});
