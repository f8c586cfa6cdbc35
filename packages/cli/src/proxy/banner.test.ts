import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { farewell } from "../../../controllers/src/idle/activate/speak-to-client.ts";
import { readBanner } from "./banner.ts";

const held = "drawbridge: it is being woken\r\n";
const said = (...pieces: string[]) => {
  const stream = new PassThrough();
  for (const piece of pieces) stream.write(piece, "latin1");
  stream.end();
  return readBanner(stream).catch((error: Error) => error.message);
};

it.each([
  [["SSH-2.0-Open", "SSH_10.0\r\nmore"], "SSH-2.0-OpenSSH_10.0"],
  [
    ["Not allowed at this time\r\n"],
    "sshd refuses this address for now (PerSourcePenalties), because connections from it did not log in; wait half a minute",
  ],
  [
    ["Exceeded MaxStartups\r\n"],
    "sshd has as many connections waiting to log in as it allows (MaxStartups); try again",
  ],
  [
    [
      held,
      "drawbridge: dev1: no node takes it\r\n",
      farewell("dev1: it cannot start: no").toString("latin1"),
    ],
    "dev1: it cannot start: no",
  ],
  [[held, "SSH-2.0-OpenSSH_10.0\r\n"], "SSH-2.0-OpenSSH_10.0"],
  [["drawbridge: it is be", "ing woken\r", "\nSSH-2.0-OpenSSH_10.0\r\n"], "SSH-2.0-OpenSSH_10.0"],
  [[held, "drawbridge: it is awake\r\n"], "it has just woken"],
  [["220 mail\r\n"], '"220 mail\\r" is not the greeting of an SSH server; check the port'],
  [
    [],
    "the connection was closed before sshd sent its greeting; sshd may be starting, or full (MaxStartups)",
  ],
])("%j", async (pieces, expected) => {
  expect(await said(...pieces)).toBe(expected);
});
