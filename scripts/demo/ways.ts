/** What users of the demo's stacks do: see a storage with curl and in a browser, log in over the Kubernetes API. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sshdBundleFolder } from "../lib/clients/cli.ts";
import { openBrowser } from "../lib/lab/browser.ts";
import { eventually, type Laptop, run } from "../lib/lab/lab.ts";
import { demoFolder, succeeded } from "./steps.ts";

/** Tries the storage without and with a credential; returns what there is to say. */
export async function browse(url: string, reader: { user: string; password: string }): Promise<string[]> {
  const status = async (...args: string[]) =>
    succeeded(await run("curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", ...args]), "curl");
  const credential = ["-u", `${reader.user}:${reader.password}`];
  await eventually("the storage's answer", async () => (await status(...credential, url)) === "200");
  const closed = await status(url);
  if (closed !== "401") throw new Error(`without a credential the storage answered ${closed} instead of 401`);
  const file = succeeded(await run("curl", ["-s", ...credential, `${url}model/README.txt`]), "curl");
  return [url, `without a credential: ${closed}; with one: ${file.trim()}`, await screenshot(url, reader)];
}

async function screenshot(url: string, reader: { user: string; password: string }): Promise<string> {
  if (!existsSync("/usr/bin/chromium")) return "no picture: install chromium to see one";
  const browser = await openBrowser({ username: reader.user, password: reader.password });
  try {
    const page = await browser.context.newPage();
    await page.goto(url);
    await page.getByText("model").first().waitFor();
    const path = join(demoFolder, "storage.png");
    await page.screenshot({ path });
    return `in a browser: ${path}`;
  } finally {
    await browser.close();
  }
}

/** Logs in by `drawbridge proxy` with the block that docs/sshpod.md shows; returns what the remote command printed. */
export async function overTheApi(laptop: Laptop, target: string, remote: string): Promise<string> {
  const kept = join(laptop.folder, ".local", "state", "drawbridge", "sshpod");
  const config = join(laptop.folder, "sshpod_config");
  await writeFile(
    config,
    [
      "Host *.sshpod",
      `  ProxyCommand ${process.execPath} ${join(process.cwd(), "packages/cli/src/main.ts")} proxy --host %h --user %r --port %p`,
      `  IdentityFile ${join(kept, "id_ed25519")}`,
      "  IdentitiesOnly yes",
      "  StrictHostKeyChecking yes",
      `  UserKnownHostsFile ${join(kept, "known_hosts")}`,
      "",
    ].join("\n"),
  );
  const env = {
    HOME: laptop.folder,
    XDG_STATE_HOME: join(laptop.folder, ".local", "state"),
    // The published package brings the bundle along; here it comes from the lab's image.
    DRAWBRIDGE_SSHD_BUNDLE: await sshdBundleFolder(),
  };
  return succeeded(await run("ssh", ["-F", config, target, remote], { env, timeoutSeconds: 120 }), "ssh");
}
