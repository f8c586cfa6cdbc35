/** Who may look into a storage, and what attackers get, over the real dufs and Envoy. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { Laptop, run } from "../../scripts/lib/lab/lab.ts";
import { endStack, testNamespace } from "../support/lab/cluster.ts";
import { startProbe, stopProbe } from "../support/lab/probe-pod.ts";
import { curl, TokenIssuer } from "../support/lab/web.ts";
import {
  login,
  prepareWith,
  reader,
  testAccess,
  testProxy,
  testStorage,
  writer,
} from "../support/stacks/storage.ts";

const team = "team-at";
const stranger = "stranger-at";
const issuer = new TokenIssuer("https://id.example.com");

let laptop: Laptop;
let stack: Awaited<ReturnType<typeof testStack>>;
let origin: string;

async function program() {
  const namespace = testNamespace(team);
  const proxy = testProxy("files-at");
  const prepare = prepareWith(
    `mkdir model; echo seeded > model/README.txt
     ln -s /etc/passwd leak; ln -s /etc leaks; ln -s model/README.txt inside`,
  );
  const jwt = { issuer: issuer.name, jwks: issuer.jwks, values: [team] };
  testStorage("models", { namespace: team, prepare, browse: testAccess(proxy, { jwt }) }, [namespace]);
  const accessor = testAccess(proxy, { actions: ["upload", "delete"], credentials: [reader, writer] });
  testStorage("scratch", { namespace: team, browse: accessor }, [namespace]);
  return { address: proxy.address };
}

const at = (name: string, path = "") => `${origin}/storage/${team}/${name}/${path}`;

/** What a pod of another namespace gets. */
async function fetchFromStranger(url: string): Promise<string> {
  const command = ["wget", "-q", "-T", "3", "-O", "-", url];
  const outcome = await run("kubectl", ["-n", stranger, "exec", "probe", "--", ...command]);
  return outcome.stdout === "" ? "nothing" : outcome.stdout;
}

beforeAll(async () => {
  laptop = await Laptop.create();
  stack = await testStack(program);
  origin = `http://${(await stack.stack.up()).outputs.address?.value as string}`;
  await startProbe(stranger);
  const uploaded = await curl([...login(writer), "-X", "PUT", "-d", "mine", at("scratch", "own.txt")]);
  expect(uploaded.status).toBe(201);
});

afterAll(async () => {
  await stopProbe(stranger);
  await endStack(stack, [team], laptop);
});

describe("who may look", () => {
  const bearer = (token: string) => ["-H", `Authorization: Bearer ${token}`];
  const past = () => Math.floor(Date.now() / 1000) - 300;
  const file = () => at("models", "model/README.txt");

  it.each([
    ["nobody without a credential", () => [], 401],
    ["a user with the password", () => login(reader), 200],
    ["not with another password", () => login({ ...reader, password: "guessed-password" }), 401],
    ["not another storage's user", () => login(writer), 401],
    ["a token of the team", () => bearer(issuer.token({ team })), 200],
    ["a token of several teams", () => bearer(issuer.token({ team: ["others", team] })), 200],
    ["not another team's token", () => bearer(issuer.token({ team: "others" })), 403],
    ["not a token without the claim", () => bearer(issuer.token({})), 403],
    ["not an expired token", () => bearer(issuer.token({ team, exp: past() })), 401],
    ["not a token that never expires", () => bearer(issuer.token({ team, exp: undefined })), 401],
    ["not another issuer's token", () => bearer(new TokenIssuer(issuer.name).token({ team })), 401],
    ["not a token behind other text", () => ["-H", `Authorization: x Bearer ${issuer.token({ team })}`], 401],
  ])("%s", async (_, args, status) => {
    expect((await curl([...args(), file()])).status).toBe(status);
  });

  it("says in which way it wants to be asked", async () => {
    const challenge = async (args: readonly string[]) => {
      const { body } = await curl([...args, "-D", "-", "-o", "/dev/null", file()]);
      return body.match(/^www-authenticate: .*$/gim)?.map((line) => line.trim());
    };
    const realm = `realm="${team}/models"`;
    expect(await challenge([])).toEqual([`www-authenticate: Basic ${realm}, charset="UTF-8"`]);
    expect(await challenge(bearer(issuer.token({ team, exp: past() })))).toEqual([
      `www-authenticate: Bearer ${realm}`,
    ]);
  });

  it("not a token in the address, where logs would keep it", async () => {
    expect((await curl([`${file()}?access_token=${issuer.token({ team })}`])).status).toBe(401);
  });

  it("nobody but the proxy reaches the file server itself", async () => {
    // Asked for without a credential, so that only the network can refuse it.
    const path = `/storage/${team}/models/__dufs__/health`;
    expect(await fetchFromStranger(`http://models-files.${team}.svc.cluster.local:5000${path}`)).toBe(
      "nothing",
    );
    expect(await fetchFromStranger(`${new URL(at("models")).origin}${path}`)).toBe('{"status":"OK"}');
  });
});

describe("attacks", () => {
  it.each([
    ["../../../../etc/passwd", 404],
    ["..%2f..%2fetc/passwd", 400],
    ["%2e%2e/%2e%2e/%2e%2e/etc/passwd", 404],
    ["..%252f..%252fetc/passwd", 404],
    ["..%5c..%5cetc/passwd", 400],
    ["....//....//etc/passwd", 404],
    ["%c0%ae%c0%ae/etc/passwd", 400],
    ["model/README.txt%00.png", 400],
    ["leak", 404],
    ["leaks/passwd", 404],
    ["leaks/", 404],
    // The accepted twins.
    ["inside", 200],
    ["model/./../model/README.txt", 200],
  ])("the path %s gets %i", async (path, status) => {
    const { status: given, body } = await curl([...login(reader), at("models", path)]);
    expect([given, body.includes("root:")]).toEqual([status, false]);
  });

  it.each(["PUT", "DELETE", "MOVE", "COPY", "MKCOL", "PATCH", "PROPPATCH", "LOCK"])(
    "%s changes nothing where all is read-only, nor for a reader where others may write",
    async (method) => {
      for (const name of ["models", "scratch"]) {
        const to = ["-H", `Destination: ${at(name, "moved")}`];
        const target = at(name, name === "models" ? "model/README.txt" : "own.txt");
        const { status } = await curl([...login(reader), "-X", method, ...to, "-d", "x", target]);
        expect([name, status]).toEqual([name, 403]);
      }
    },
  );

  it("lets a writer do each of these where it is allowed", async () => {
    const as = login(writer);
    const to = (name: string) => ["-H", `Destination: ${at("scratch", name)}`];
    const statuses = [
      await curl([...as, "-T", "-", at("scratch", "a.txt")]),
      await curl([...as, "-X", "MKCOL", at("scratch", "dir")]),
      await curl([...as, "-X", "COPY", ...to("b.txt"), at("scratch", "a.txt")]),
      await curl([...as, "-X", "MOVE", ...to("dir/b.txt"), at("scratch", "b.txt")]),
      await curl([...as, "-X", "DELETE", at("scratch", "dir")]),
    ].map(({ status }) => status);
    expect(statuses).toEqual([201, 201, 204, 204, 204]);
  });

  it("does not follow what a request says about hosts", async () => {
    const target = at("models", "model/README.txt");
    for (const trick of [
      ["-H", "Host: scratch-files.team-at.svc.cluster.local:5000"],
      ["-H", "X-Forwarded-Host: evil.example.com"],
      [
        "--request-target",
        `http://scratch-files.${team}.svc.cluster.local:5000/storage/${team}/models/model/README.txt`,
      ],
    ]) {
      expect(await curl([...login(reader), ...trick, target])).toEqual({ status: 200, body: "seeded\n" });
    }
  });

  it("cuts huge headers and slow requests, and serves others meanwhile", async () => {
    const huge = join(laptop.folder, "huge");
    await writeFile(huge, `X-Huge: ${"a".repeat(80_000)}\n`);
    expect((await curl([...login(reader), "-H", `@${huge}`, at("models")])).status).toBe(431);
    const { hostname } = new URL(at("models"));
    const began = Date.now();
    const slow = run("sh", ["-c", `(printf 'GET / HTTP/1.1\\r\\n'; sleep 13) | nc ${hostname} 80`]);
    expect((await curl([...login(reader), at("models")])).status).toBe(200);
    expect((await slow).stdout.split("\r\n")[0]).toBe("HTTP/1.1 408 Request Timeout");
    expect(Date.now() - began).toBeLessThan(20_000);
  });
});
