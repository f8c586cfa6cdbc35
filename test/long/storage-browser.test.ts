/** A storage in a real browser: log in, look around, search, download, upload where it is allowed. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { type OpenBrowser, openBrowser } from "../../scripts/lib/lab/browser.ts";
import { Laptop } from "../../scripts/lib/lab/lab.ts";
import { endStack, testNamespace } from "../support/lab/cluster.ts";
import { curl } from "../support/lab/web.ts";
import {
  login,
  prepareWith,
  reader,
  testAccess,
  testProxy,
  testStorage,
  writer,
} from "../support/stacks/storage.ts";

const team = "team-br";

let laptop: Laptop;
let stack: Awaited<ReturnType<typeof testStack>>;
let url: string;
const browsers: OpenBrowser[] = [];

async function program() {
  const namespace = testNamespace(team);
  const proxy = testProxy("files-br");
  const storage = testStorage(
    "shared",
    {
      namespace: team,
      prepare: prepareWith(
        `mkdir -p model "日本語"; echo seeded > README.txt; echo x > "日本語/データ.txt"; echo y > model/weights.bin`,
      ),
      browse: testAccess(proxy, {
        actions: ["upload", "delete", "search", "archive"],
        credentials: [reader, writer],
      }),
    },
    [namespace],
  );
  return { url: storage.url };
}

async function pageOf(user?: { user: string; password: string }): Promise<Page> {
  const browser = await openBrowser(user && { username: user.user, password: user.password });
  browsers.push(browser);
  return await browser.context.newPage();
}

/** The names in the table of files, as people see them. */
const names = (page: Page) => page.locator("#list .name a").allInnerTexts();

beforeAll(async () => {
  laptop = await Laptop.create();
  stack = await testStack(program);
  url = (await stack.stack.up()).outputs.url?.value as string;
});

afterAll(async () => {
  for (const browser of browsers) await browser.close();
  await endStack(stack, [team], laptop);
});

describe("in a browser", () => {
  it("shows nothing to a visitor without a credential", async () => {
    const page = await pageOf();
    const answer = await page.request.get(url);
    expect(answer.status()).toBe(401);
    expect(answer.headers()["www-authenticate"]).toBe(`Basic realm="${team}/shared", charset="UTF-8"`);
  });

  it("lists, searches and downloads for a reader, and offers no upload", async () => {
    const page = await pageOf(reader);
    await page.goto(url);
    await page.locator("#list tr").first().waitFor();
    await page.screenshot({ path: join(laptop.folder, "list.png") });
    expect(await names(page)).toEqual(["model/", "日本語/", "README.txt"]);
    expect(await page.locator("#adding").isVisible()).toBe(false);
    expect(await page.getByRole("button").allInnerTexts()).toEqual([]);

    await page.locator("#word").fill("weights");
    await page.locator("#word").press("Enter");
    await page.waitForURL(/q=weights/);
    await page.locator("#list tr").first().waitFor();
    expect(await names(page)).toEqual(["model/weights.bin"]);

    await page.goto(url);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.locator("tr", { hasText: "README.txt" }).getByText("Download").click(),
    ]);
    const target = join(laptop.folder, "downloaded.txt");
    await download.saveAs(target);
    expect(await readFile(target, "utf8")).toBe("seeded\n");
  });

  it("lets a writer upload a file", async () => {
    const page = await pageOf(writer);
    const file = join(laptop.folder, "данные.txt");
    await writeFile(file, "from the browser\n");
    await page.goto(url);
    await page.locator("#files").setInputFiles(file);
    await page.getByText("данные.txt: uploaded").waitFor();
    await page.screenshot({ path: join(laptop.folder, "upload.png") });
    expect(await curl([...login(reader), `${url}${encodeURIComponent("данные.txt")}`])).toEqual({
      status: 200,
      body: "from the browser\n",
    });
  });

  it("lets a writer make a folder, rename and delete", async () => {
    const page = await pageOf(writer);
    const answers = ["drafts", "model/README.txt"];
    page.on("dialog", (dialog) => dialog.accept(dialog.type() === "prompt" ? answers.shift() : undefined));
    await page.goto(url);
    const row = (name: string) => page.locator("#list tr", { hasText: name });
    await page.getByRole("button", { name: "New folder" }).click();
    await row("drafts/").waitFor();
    await row("README.txt").getByText("Rename").click();
    await row("README.txt").waitFor({ state: "detached" });
    await row("drafts/").getByText("Delete").click();
    await row("drafts/").waitFor({ state: "detached" });
    await row("model/").locator(".name a").click();
    await page.waitForURL(/shared\/model\/$/);
    await row("README.txt").waitFor();
    expect(await names(page)).toEqual(["README.txt", "weights.bin"]);
  });
});
