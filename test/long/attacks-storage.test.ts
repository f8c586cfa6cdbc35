/** Attacks on storages and on their proxy, without a browser; each beside what is allowed. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { eventually, kubectl } from "../../scripts/lib/lab/lab.ts";
import { login, reader, writer } from "../support/stacks/storage.ts";
import { hostileHeaders } from "./attack-pages.fixture.ts";
import { type IsolatedStorages, isolatedStorages } from "./isolated-storages.fixture.ts";

let storages: IsolatedStorages;

beforeAll(async () => {
  storages = await isolatedStorages("wa");
  await storages.serve([
    { path: "sound", status: 200, headers: { "content-type": "audio/mpeg" }, body: "x" },
    { path: "sound.xml", status: 200, headers: { "content-type": "audio/x+xml" }, body: "x" },
    { path: "any", status: 200, headers: hostileHeaders(storages), body: "by hand" },
  ]);
});

afterAll(() => storages.remove());

const basic = (user: string, password: string) =>
  `Authorization: Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
const status = async (args: readonly string[]) => (await storages.ask(args)).status;

/** What dufs and the proxy have logged so far. */
async function logs(): Promise<string> {
  const of = (namespace: string, selector: string) =>
    kubectl(["-n", namespace, "logs", "-l", selector, "--all-containers", "--tail=-1"]);
  const instance = "app.kubernetes.io/instance";
  const { proxy, team, vault } = storages;
  return (await of(proxy, `${instance}=${proxy}`)) + (await of(team, `${instance}=${vault}`));
}

describe("a storage", () => {
  const url = (path = "secret.txt") => storages.url(path);

  it("keeps of a storage's headers only those of its file, and adds the policy", async () => {
    const given = async (target: string) => {
      const { body } = await storages.ask([...login(reader), "-D", "-", "-o", "/dev/null", target]);
      const names = body
        .split("\r\n")
        .slice(1)
        .map((line) => line.split(":")[0]?.toLowerCase() ?? "");
      return names.filter((name) => name !== "").sort();
    };
    const policy = [
      "content-security-policy",
      "cross-origin-opener-policy",
      "cross-origin-resource-policy",
      "referrer-policy",
      "x-content-type-options",
      "x-frame-options",
    ];
    const always = [...policy, "content-length", "content-type", "date", "server", "x-request-id"];
    expect(await given(`${storages.origin}${storages.made.path}any`)).toEqual(always.sort());
    expect(await given(url())).toEqual(
      [...always, "accept-ranges", "cache-control", "content-disposition", "etag", "last-modified"].sort(),
    );
  });

  it.each([
    ["sound, which a player shows", "sound", "default-src"],
    ["XML that says it is sound", "sound.xml", "sandbox;"],
  ])("gives %s the policy for it", async (_, path, first) => {
    const { body } = await storages.ask(["-D", "-", `${storages.origin}${storages.made.path}${path}`]);
    expect(/^content-security-policy: (\S+)/im.exec(body)?.[1]).toBe(first);
  });

  it("offers Basic alone, and takes no Digest, whatever path it was made for", async () => {
    const { body } = await storages.ask(["-D", "-", "-o", "/dev/null", url()]);
    expect(body.match(/^www-authenticate: .*$/gim)?.map((line) => line.trim())).toEqual([
      `www-authenticate: Basic realm="${storages.team}/${storages.vault}", charset="UTF-8"`,
    ]);
    const md5 = (text: string) => createHash("md5").update(text).digest("hex");
    const nonce = "0".repeat(34);
    const secret = md5(`${reader.user}:DUFS:${reader.password}`);
    for (const path of [new URL(url()).pathname, "/another/path"]) {
      const response = md5(`${secret}:${nonce}:${md5(`GET:${path}`)}`);
      const digest = `Digest username="${reader.user}", realm="DUFS", nonce="${nonce}", uri="${path}", response="${response}"`;
      expect(await storages.ask(["-H", `Authorization: ${digest}`, url()])).toEqual({
        status: 401,
        body: "401: give the user and password of this storage (Basic), or a token (Bearer).\n",
      });
    }
    expect(await status(["--digest", ...login(reader), url()])).toBe(401);
    expect(await status(["--basic", ...login(reader), url()])).toBe(200);
  });

  it.each([
    ["a share link's making", "?tokengen", 403],
    ["a share link", `?token=${"0".repeat(160)}`, 403],
    ["a share link among others", `?q=x&token=${"0".repeat(160)}`, 403],
    ["a share link in other letters", "?%74okengen", 200],
    ["a plain address", "", 200],
  ])("%s gets what it should", async (_, query, expected) => {
    const answer = await storages.ask([...login(reader), url(`secret.txt${query}`)]);
    expect(answer.status).toBe(expected);
    // Never a token: either the file itself, or why there is none.
    expect(answer.body).toBe(
      expected === 200
        ? "the secret\n"
        : "403: links with a token in them are not offered; give the address, and a login to whoever may see it.\n",
    );
  });

  it.each([
    ["of no origin", ["-H", "Origin: null"], 403],
    ["of another site", ["-H", "Origin: https://evil.example.com"], 403],
    ["of a longer name", () => ["-H", `Origin: ${storages.origin}.evil.example.com`], 403],
    ["of another port", () => ["-H", `Origin: ${storages.origin}:8443`], 403],
    ["of the same site", ["-H", "Sec-Fetch-Site: same-site"], 403],
    ["across sites", ["-H", "Sec-Fetch-Site: cross-site"], 403],
    ["that is a worker's program", ["-H", "Service-Worker: script"], 403],
    ["of its own page", () => ["-H", `Origin: ${storages.origin}`, "-H", "Sec-Fetch-Site: same-origin"], 201],
    ["of no browser", [], 201],
  ] as [string, string[] | (() => string[]), number][])(
    "a write %s gets what it should",
    async (_, args, expected) => {
      const headers = typeof args === "function" ? args() : args;
      // Debian's curl takes an answer over HTTP/2 that comes before all is sent for a broken stream, one time in ten.
      const written = ["--http1.1", "-X", "PUT", "-d", "written", ...headers, url("write.txt")];
      expect(await status([...login(writer), ...written])).toBe(expected);
      const there = expected === 201 ? { status: 200, body: "written" } : { status: 404, body: "Not Found" };
      expect(await storages.ask([...login(reader), url("write.txt")])).toEqual(there);
      if (expected === 201)
        expect(await status([...login(writer), "-X", "DELETE", url("write.txt")])).toBe(204);
    },
  );

  it("is not read by a page of another site, but opened from it", async () => {
    const fetched = (mode: string, destination: string) =>
      ["Site: cross-site", `Mode: ${mode}`, `Dest: ${destination}`].flatMap((one) => [
        "-H",
        `Sec-Fetch-${one}`,
      ]);
    const cross = fetched("no-cors", "image");
    expect(await status([...login(reader), ...cross, url()])).toBe(403);
    const framed = fetched("navigate", "iframe");
    expect(await status([...login(reader), ...framed, url()])).toBe(403);
    const link = fetched("navigate", "document");
    expect(await status([...login(reader), ...link, url()])).toBe(200);
  });

  it("writes no line that a client made up, and no secret of its address", async () => {
    const forged = '"}\n{"user":"made-up-user","method":"DELETE","forged":"yes';
    const secret = "only-in-the-query-4711";
    const answers = [
      await status(["-H", basic(forged, "x"), url()]),
      await status(["-H", basic("a".repeat(65), "x"), url()]),
      await status([...login(reader), "-H", "X-Drawbridge-User: made-up-user", url()]),
      await status([...login(reader), "-H", "X-Drawbridge-Path: /forged", url()]),
      await status([...login(reader), "-H", "X-Request-Id: forged-id", url()]),
      await status([...login(reader), url(`secret.txt?access_token=${secret}`)]),
      await status([...login(reader), url(`secret.txt?token=${secret}`)]),
      await status([
        ...login(writer),
        "-X",
        "MOVE",
        "-H",
        `Destination: ${storages.origin}/forged-${secret}`,
        url("no"),
      ]),
      await status([
        "-H",
        basic(reader.user, "wrong-password-for-tests"),
        "-H",
        basic(reader.user, reader.password),
        url(),
      ]),
    ];
    expect(answers).toEqual([401, 401, 200, 200, 200, 200, 403, 404, 401]);
    const marker = await storages.ask([...login(reader), "-D", "-", "-o", "/dev/null", url("marker")]);
    const id = /^x-request-id: (\S+)/im.exec(marker.body)?.[1] ?? expect.fail("no request id");
    await eventually("the last line", async () => (await logs()).split(id).length === 3);
    const all = await logs();
    const found = ["made-up-user", "forged-id", secret, reader.password, writer.password, '/forged"'].filter(
      (text) => all.replaceAll(`/forged-${secret}`, "").includes(text),
    );
    expect(found).toEqual([]);
  });

  it("asks for no login where a browser would keep it for other storages", async () => {
    const asked = ["-H", "Accept: text/html", "-D", "-", "-o", "/dev/null"];
    const { body } = await storages.ask([...asked, url("").replace(/\/$/, "")]);
    expect(body.split("\r\n")[0]).toMatch(/^HTTP\/[12.]+ 308 /);
    expect(body).toMatch(new RegExp(`^location: ${new URL(url("")).pathname}\r$`, "m"));
    expect(body).not.toMatch(/www-authenticate/i);
  });
});
