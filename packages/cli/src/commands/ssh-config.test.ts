import { expect, it } from "vitest";
import { tooOld } from "./ssh-config.ts";

it.each([
  ["OpenSSH_6.6.1p1 Ubuntu-2ubuntu2, OpenSSL 1.0.1f", "6.6"],
  ["OpenSSH_7.2p2, LibreSSL 2.4.1", "7.2"],
])("refuses %s, which has no Include", (version, number) => {
  expect(tooOld(version)).toBe(`OpenSSH ${number} does not know Include in its config; install 7.3 or newer`);
});

it.each([
  "OpenSSH_7.3p1, OpenSSL 1.0.2",
  "OpenSSH_9.2p1 Debian-2+deb12u7, OpenSSL 3.0.17",
  "OpenSSH_10.0p2, OpenSSL 3.5.1",
  "OpenSSH_for_Windows_8.1p1, LibreSSL 3.0.2",
  "some other program",
])("takes %s", (version) => {
  expect(tooOld(version)).toBe(undefined);
});
