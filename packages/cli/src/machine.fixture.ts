/** What tests take of this machine: a folder, and ports of its loopback. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** Of the tests of one file; removed after them. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-test-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Starts a server; returns its port. */
export async function listening(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}
