/**
 * Pages of a neighbour's in the browser of someone who is logged in to a team's storage, in a real Chromium.
 * Each is tried once more without the policy, where it reads, writes and deletes: so the refusals say something.
 */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type OpenBrowser, openBrowser } from "../../scripts/lib/lab/browser.ts";
import { login, writer } from "../support/stacks/storage.ts";
import {
  attack,
  attackPages,
  formPage,
  hostileHeaders,
  hostileListing,
  shown,
  styleSheet,
} from "./attack-pages.fixture.ts";
import type { HandMadeStorage } from "./hand-made-storage.fixture.ts";
import { type IsolatedStorages, isolatedStorages } from "./isolated-storages.fixture.ts";
import { withoutPolicy } from "./without-policy.fixture.ts";

let storages: IsolatedStorages;
let browser: OpenBrowser;
let page: Page;

const untouched = { "secret.txt": "the secret\n", "victim.txt": "the victim\n" };

beforeAll(async () => {
  storages = await isolatedStorages("wp");
  await storages.plant("style.xsl", styleSheet(new URL(storages.url()).pathname));
  const body = `<h1>by hand</h1><script>${attack(storages.url().replace(storages.origin, ""))}</script>`;
  await storages.serve([
    {
      path: "login",
      status: 401,
      headers: { "www-authenticate": `Basic realm="${storages.team}/${storages.vault}"` },
      body: "",
    },
    { path: "moved/secret.txt", status: 307, headers: { location: storages.url("moved.txt") }, body: "" },
    {
      path: "listed/",
      json: true,
      status: 200,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(hostileListing(storages.team, storages.vault)),
    },
    { path: "pdf", status: 200, headers: { "content-type": "application/pdf, text/html" }, body },
    { path: "any", status: 200, headers: hostileHeaders(storages), body },
  ]);
});

afterAll(() => storages.remove());

beforeEach(async () => {
  browser = await openBrowser(undefined, { [storages.host]: storages.address });
  page = await browser.context.newPage();
});

afterEach(() => browser.close());

/** Logs in as people do, so that the browser keeps the login and sends it along. */
async function logIn(target: string): Promise<void> {
  const url = new URL(target);
  [url.username, url.password] = [writer.user, writer.password];
  const answer = await page.goto(url.href);
  expect(answer?.status()).toBe(200);
}

const inPage = <T>(expression: string) => page.evaluate<T>(expression);

/** What the page's program came to, after the time it needs; null where none ran, as in a page that stayed empty. */
async function outcome(url: string): Promise<string | null> {
  await page.goto(url);
  const got = () => inPage<string | null>('document.documentElement?.getAttribute("data-got") ?? null');
  for (let tries = 0; tries < 10 && (await got()) === null; tries += 1) await page.waitForTimeout(200);
  return await got();
}

describe("a page of a neighbour's storage", () => {
  it.each(attackPages)("%s runs nothing", async (_, name, body) => {
    const planted = await storages.plant(name, body(new URL(storages.url()).pathname));
    await logIn(storages.url());
    await logIn(storages.baitUrl());
    expect(await outcome(planted)).toBe(null);
    expect(await inPage("origin")).toBe("null");
    expect(await storages.contents()).toEqual(untouched);
  });

  it.each(attackPages.filter(([, name]) => name !== "page"))(
    "%s would have read, written and deleted without the policy",
    async (_, name, body) => {
      const planted = await storages.plant(name, body(new URL(storages.url()).pathname));
      const open = await withoutPolicy(storages.origin, storages.address);
      try {
        for (const url of [storages.url(), storages.baitUrl()]) {
          await logIn(url.replace(storages.origin, open.origin));
        }
        expect(await outcome(planted.replace(storages.origin, open.origin))).toBe("200 the secret,201 ,204 ");
        expect(await storages.contents()).toEqual({ "secret.txt": "the secret\n", "planted.txt": "x" });
      } finally {
        open.close();
        await storages.ask([...login(writer), "-X", "DELETE", storages.url("planted.txt")]);
        await storages.ask([...login(writer), "-X", "PUT", "-d", "the victim\n", storages.url("victim.txt")]);
      }
    },
  );

  it("a form is not sent, and would have been without the policy", async () => {
    const planted = await storages.plant("form.html", formPage(new URL(storages.url()).pathname));
    /** What was sent to the team's storage when the visitor pressed the button, and what came of it. */
    const pressed = async (origin: string): Promise<string[]> => {
      const here = (url: string) => url.replace(storages.origin, origin);
      for (const url of [storages.url(), storages.baitUrl()]) await logIn(here(url));
      await page.goto(here(planted));
      const sent: string[] = [];
      page.on("response", (answer) => {
        const target = answer.request();
        if (target.url().startsWith(here(storages.url()))) sent.push(`${target.method()} ${answer.status()}`);
      });
      await page.locator("button").click();
      await page.waitForTimeout(1000);
      return sent;
    };
    expect(await pressed(storages.origin)).toEqual([]);
    const open = await withoutPolicy(storages.origin, storages.address);
    try {
      // With the login; that a form changes nothing then is dufs' own doing.
      expect(await pressed(open.origin)).toEqual(["POST 405"]);
    } finally {
      open.close();
    }
    expect(await storages.contents()).toEqual(untouched);
  });

  it.each([
    ["of a server made by hand", "any/page"],
    ["that says it is a PDF too", "pdf"],
    ["behind dufs' view", "any/page?view"],
    ["behind dufs' editor", "any/page?edit"],
    ["behind dufs' assets", "__dufs_v0.47.0__/index.js"],
  ])("a page %s runs nothing", async (_, path) => {
    await logIn(storages.url());
    expect(await outcome(`${storages.origin}${storages.made.path}${path}`)).toBe(null);
    expect(await storages.contents()).toEqual(untouched);
    expect(await browser.context.cookies()).toEqual([]);
  });

  it("a folder of a server made by hand is shown by the proxy's page, and only as data", async () => {
    await logIn(storages.url());
    expect(await outcome(`${storages.origin}${storages.made.path}listed/`)).toBe(null);
    const links = page.locator("#list .name a");
    expect(await links.evaluateAll((all) => all.map((link) => (link as unknown as URL).pathname))).toEqual([
      `${storages.made.path}listed/javascript%3Adocument.documentElement.setAttribute('data-got'%2C'ran')`,
      `${storages.made.path}listed/%3Cscript%3Edocument.documentElement.setAttribute('data-got'%2C'ran')%3C/script%3E`,
    ]);
    expect(await inPage("document.images.length")).toBe(0);
    // Even a program that got into this page would reach its own storage alone.
    const reach = (url: string) => inPage(`fetch("${url}").then(({ status }) => status, () => "blocked")`);
    expect(await reach(storages.url("secret.txt"))).toBe("blocked");
    expect(await reach(`${storages.origin}${storages.made.path}there`)).toBe(200);
  });

  it("is given no password of another storage, whatever realm it names", async () => {
    await logIn(storages.url());
    const asking = `${storages.origin}${storages.made.path}login`;
    // Without a login the browser goes on to a page of its own, which would interrupt what it opens next.
    const refused = page.goto(asking).catch(() => page.waitForURL(/^chrome-error:/));
    const [answer] = await Promise.all([page.waitForResponse(asking), refused]);
    expect([answer.status(), answer.headers()["www-authenticate"]]).toEqual([
      401,
      `Basic realm="${storages.other}/${storages.made.name}", charset="UTF-8"`,
    ]);
    await expectNothingSent(storages.made);
    // Its own storage it is given to, without being asked again.
    expect((await page.goto(storages.url("secret.txt")))?.status()).toBe(200);
  });

  it("cannot send an upload on to another storage", async () => {
    await logIn(storages.url());
    await page.goto(`${storages.origin}${storages.made.path}listed/`);
    const upload = (url: string) =>
      inPage(`fetch("${url}", { method: "PUT", body: "x" }).then((got) => [got.status, got.redirected])`);
    expect(await upload(`${storages.origin}${storages.made.path}moved/secret.txt`)).toEqual([307, false]);
    expect(await storages.contents()).toEqual(untouched);
  });

  it("shows images, text, sound and PDF of a storage, each by itself", async () => {
    const files = await Promise.all(Object.entries(shown).map(([name, text]) => storages.plant(name, text)));
    await logIn(storages.baitUrl());
    const seen = [];
    for (const file of files) {
      const answer = await page.goto(file);
      seen.push([answer?.status(), await inPage("document.contentType")]);
    }
    expect(seen).toEqual([
      [200, "text/plain"],
      [200, "image/svg+xml"],
      [200, "application/pdf"],
    ]);
    await page.goto(files[0] ?? "");
    expect(await page.locator("body").innerText()).toBe("words\n");
    await page.goto(files[1] ?? "");
    expect(await inPage('document.querySelector("rect").getBoundingClientRect().width')).toBe(20);
  });
});

async function expectNothingSent(made: HandMadeStorage): Promise<void> {
  const noted = await made.noted();
  expect(noted.length).toBeGreaterThan(0);
  expect(noted.filter(({ authorization }) => authorization !== null)).toEqual([]);
}
