import { expect, it } from "vitest";
import { lastReport } from "./report.ts";

const line =
  "drawbridge-idle: up=90 sessions=2 terminals=1 used=1 quiet=12 cpuQuiet=30 millicores=70 hold=0 commands=1 asked=0 warned=-1";

it("reads the last whole report among other lines", () => {
  const log = `Server listening on 0.0.0.0 port 22.\n${line.replace("up=90", "up=30")}\n${line}\nAccepted publickey\ndrawbridge-idle: up=1`;
  expect(lastReport(log)).toEqual({
    up: 90,
    sessions: 2,
    terminals: 1,
    used: true,
    quiet: 12,
    cpuQuiet: 30,
    millicores: 70,
    hold: 0,
    commands: 1,
    asked: false,
    warned: undefined,
  });
});

it("tells a warning of this second from none", () => {
  expect(lastReport(`${line.replace("warned=-1", "warned=0")}\n`)?.warned).toBe(0);
});

it.each([
  ["nothing", ""],
  ["a line that is not ended", line],
  ["a field that is missing", `${line.replace("commands=1 ", "")}\n`],
  ["a field that is no number", `${line.replace("quiet=12", "quiet=soon")}\n`],
  ["a number that is endless", `${line.replace("quiet=12", `quiet=${"9".repeat(40)}`)}\n`],
  ["what sshd says of a stranger's name", `Invalid user ${line} from 10.0.0.1 port 5\n`],
])("takes no report from %s", (_, log) => {
  expect(lastReport(log)).toBeUndefined();
});
