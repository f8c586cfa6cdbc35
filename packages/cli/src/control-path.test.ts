import { expect, it } from "vitest";
import { controlPath } from "./control-path.ts";

const target = { hostName: "dev1.team-a.dev.example.com", port: 22, user: "jovyan" };
const home = (bytes: number) => `/${"a".repeat(bytes - 1)}`;
/** As ssh makes it first: 40 characters for %C, the user for %r, and 17 more. */
const made = (bytes: number, path: string) =>
  bytes + path.slice(1).replace("%C", "C".repeat(40)).replace("%r", target.user).length + 17;

it.each([
  ["linux", 107, 33, 56],
  ["macos", 103, 29, 52],
] as const)(
  "fits on %s into %s bytes, by the shorter name from a home of %s on, or is refused from %s on",
  (os, most, long, short) => {
    for (const bytes of [5, long, long + 1, short]) {
      const path = controlPath(home(bytes), os, target);
      expect(path).toMatch(
        bytes <= long ? /^~\/\.ssh\/drawbridge-%C$/ : /^~\/\.ssh\/drawbridge-[0-9a-f]{10}-%r$/,
      );
      expect(made(bytes, path)).toBeLessThanOrEqual(most);
    }
    expect(() => controlPath(home(short + 1), os, target)).toThrow(
      `--multiplex cannot work here: below ${home(short + 1)}/.ssh the path of its socket would be longer than the ${most} bytes that this system takes; take --multiplex 0`,
    );
  },
);

it("counts bytes, and tells hosts apart", () => {
  expect(controlPath(`/${"ä".repeat(17)}`, "linux", target)).toMatch(/%r$/);
  const others = [target, { ...target, port: 2222 }, { ...target, hostName: "x" }];
  expect(new Set(others.map((one) => controlPath(home(40), "linux", one))).size).toBe(3);
});
