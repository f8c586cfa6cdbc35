/** A real browser without a screen: Debian's Chromium with a fresh profile, driven by playwright-core. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";
import { silentProgress } from "../../../packages/lab/src/progress.ts";
import { ensureDebianPackages } from "../../../packages/lab/src/tools/packages.ts";

// With these it talks to the storage alone, and not to its maker's servers.
const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** An open browser and how to close it for good. */
export interface OpenBrowser {
  readonly context: BrowserContext;
  readonly close: () => Promise<void>;
}

/**
 * @param credentials what it answers when a page asks for user and password; nothing if undefined
 * @param hosts addresses of host names, whose certificates are then taken as they are
 */
export async function openBrowser(
  credentials?: { username: string; password: string },
  hosts: Readonly<Record<string, string>> = {},
): Promise<OpenBrowser> {
  await ensureDebianPackages(["chromium"], silentProgress);
  const profile = await mkdtemp(join(tmpdir(), "drawbridge-browser-"));
  const rules = Object.entries(hosts).map(([name, address]) => `MAP ${name} ${address}`);
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: "/usr/bin/chromium",
    args: rules.length > 0 ? [...quiet, `--host-resolver-rules=${rules.join(", ")}`] : quiet,
    ignoreHTTPSErrors: rules.length > 0,
    viewport: { width: 1000, height: 600 },
    ...(credentials === undefined ? {} : { httpCredentials: credentials }),
  });
  return {
    context,
    async close() {
      await context.close();
      await rm(profile, { recursive: true, force: true });
    },
  };
}
