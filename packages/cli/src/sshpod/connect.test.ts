import { describe, expect, it } from "vitest";
import { checkUser } from "./connect.ts";

const place = { namespace: "team-a", pod: "web-0", podUid: "u", container: "app", ownTmp: true };
const where = "container app of pod team-a/web-0";
const check = (user: string, probed: Record<string, string>) =>
  checkUser(place, user, new Map(Object.entries(probed)));

describe("checkUser", () => {
  it.each([
    ["its own name", "app", { uid: "1000", owner: "app", shell: "/bin/sh", requested: "1000" }],
    ["root", "root", { uid: "0", owner: "root", shell: "/bin/sh", requested: "0" }],
    [
      "anybody the image knows, as root",
      "git",
      { uid: "0", owner: "root", shell: "/bin/sh", requested: "105" },
    ],
    ["any name for a uid without one", "dev", { uid: "65534" }],
    ["a free name for a uid without a shell", "dev", { uid: "101", owner: "nginx", shell: "/sbin/nologin" }],
  ])("lets in %s", (_title, user, probed) => {
    expect(check(user, probed)).toBe(undefined);
  });

  it.each([
    [
      "another name",
      "alice",
      { uid: "1000", owner: "app", shell: "/bin/sh" },
      `${where} runs as app (uid 1000), so alice cannot log in; use: ssh app@… or "User app" in your ssh_config`,
    ],
    [
      "a name that the image does not know, as root",
      "alice",
      { uid: "0", owner: "root", shell: "/bin/ash" },
      `${where} runs as root (uid 0), so alice cannot log in; use: ssh root@… or "User root" in your ssh_config`,
    ],
    [
      "a user without a shell",
      "nginx",
      { uid: "101", owner: "nginx", shell: "/sbin/nologin", requested: "101" },
      `${where} runs as uid 101, for which the image has no login, and nginx cannot log in either; use a name that is not in the image's /etc/passwd, for example: ssh dev@…`,
    ],
    [
      "a name that belongs to another uid",
      "root",
      { uid: "65534", requested: "0" },
      `${where} runs as uid 65534, for which the image has no login, and root cannot log in either; use a name that is not in the image's /etc/passwd, for example: ssh dev@…`,
    ],
    [
      "odd characters",
      "a;b",
      { uid: "0" },
      '"a;b" is not a user name; use letters, digits, _, . and -, at most 32, not starting with a digit',
    ],
  ])("refuses %s", (_title, user, probed, message) => {
    expect(() => check(user, probed)).toThrow(message);
  });
});
