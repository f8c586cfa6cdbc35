/** What the start of sshd says of the account that people log in to, by its program with accounts of images. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { planOf } from "../../dev-container/plan.fixture.ts";
import { sshdFiles } from "./files.ts";

let image: string;

beforeEach(() => {
  image = mkdtempSync(join(tmpdir(), "image-"));
});
afterEach(() => rmSync(image, { recursive: true }));

const root = {
  root: true,
  team: { namespace: "team-a", root: true },
  user: { name: "root", uid: 0, gid: 0 },
} as const;

/** Runs the part that looks at the account, in a folder that has the image's accounts, and gives what it says. */
function start(args: Parameters<typeof planOf>[0], accounts: string, shadow?: string): string {
  writeFileSync(join(image, "passwd"), accounts);
  if (shadow !== undefined) writeFileSync(join(image, "shadow"), shadow);
  const { prepare = "" } = sshdFiles(planOf(args)) as Record<string, string>;
  const begin = prepare.indexOf("account() {");
  const script = prepare
    .slice(begin, prepare.indexOf("version.conf", begin))
    .replace(/\n[^\n]*$/, "\n")
    .replaceAll(/\/etc\/(passwd|shadow)/g, `${image}/$1`);
  execFileSync("sh", ["-n", "-c", script]);
  return spawnSync("sh", ["-euc", script], { encoding: "utf8" }).stderr.replaceAll(image, "/etc");
}

it.each([
  ["jovyan:x:1000:1000::/:/bin/sh", ""],
  ["jovyan:x:1000:1000::/:", ""],
  ["jovyan:x:1000:1000::/:/bin/gone", "the image has no /bin/gone, its shell"],
  ["jovyan:!:1000:1000::/:/bin/sh", "it is locked in /etc/passwd"],
  ["jovyan:x:1001:1000::/:/bin/sh", "its uid is not 1000"],
  ["jovyan:x:1000:1000::/:/bin/false", "its shell is /bin/false"],
  ["jovyan2:x:1000:1000::/:/bin/sh", "/etc/passwd does not name it"],
])("of %s: %s", (account, why) => {
  const said = why === "" ? "" : `drawbridge-sshd: nobody can log in as jovyan: ${why}\n`;
  expect(start({}, `root:x:0:0::/:/bin/gone\n${account}\n`)).toBe(said);
});

it("makes root of an image one who can log in, and touches nobody else's account", () => {
  const other = "other:!:1000:1000::/:/bin/gone\n";
  const users = {
    passwd: `root:x:0:0:root:/root:/bin/gone\n${other}`,
    shadow: "root:!locked::0:99999:7:::\nother:!::\n",
  };
  expect(start(root, users.passwd, users.shadow)).toBe("");
  expect(readFileSync(join(image, "passwd"), "utf8")).toMatch(
    new RegExp(`^root:x:0:0:root:/root:(/usr)?/bin/(ba)?sh\n${other}$`),
  );
  expect(readFileSync(join(image, "shadow"), "utf8")).toBe("root:*::0:99999:7:::\nother:!::\n");
});

it("leaves root's account as it is where it can be used", () => {
  const users = { passwd: "root:x:0:0:root:/root:/bin/sh\n", shadow: "root:*::\n" };
  expect(start(root, users.passwd, users.shadow)).toBe("");
  expect([readFileSync(join(image, "passwd"), "utf8"), readFileSync(join(image, "shadow"), "utf8")]).toEqual([
    users.passwd,
    users.shadow,
  ]);
});
