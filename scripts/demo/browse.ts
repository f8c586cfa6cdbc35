/** A storage as its users see it: with curl, and in a browser. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { openBrowser } from "../../test/support/lab/browser.ts";
import { eventually, run } from "../../test/support/lab/lab.ts";
import { demoFolder } from "./places.ts";
import { succeeded } from "./steps.ts";

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
