/** A storage from preparation to download, over the real dufs, Envoy, kubelet and OpenSSH. */
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testContainer, testGateway } from "../support/cluster.ts";
import { testStack } from "../support/engine.ts";
import { eventually, getObject, kubectl, Laptop, run } from "../support/lab.ts";
import { startProbe, stopProbe } from "../support/probe-pod.ts";
import {
  login,
  prepareWith,
  reader,
  testAccess,
  testProxy,
  testStorage,
  writer,
} from "../support/storage.ts";
import { curl, TokenIssuer } from "../support/web.ts";

const team = "team-st";
const stranger = "stranger-st";
const issuer = new TokenIssuer("https://id.example.com");

let laptop: Laptop;
let stack: Awaited<ReturnType<typeof testStack>>;
let urls: Record<string, string>;
let later: string[] = [];

async function program() {
  const proxy = testProxy("files-st");
  const gateway = testGateway("gw-st");
  const models = testStorage("models", {
    namespace: team,
    nodeGroup: "work",
    prepare: prepareWith(
      `mkdir -p model "мой каталог"; echo seeded > model/README.txt; echo 漢字 > "мой каталог/名前.txt"
         ln -s /etc/passwd leak; ln -s /etc leaks; ln -s model/README.txt inside
         dd if=/dev/urandom of=big.bin bs=1M count=32`,
    ),
    accessor: testAccess(proxy, {
      allow: ["search", "archive"],
      jwt: { issuer: issuer.name, jwks: issuer.jwks, values: [team] },
    }),
  });
  const scratch = testStorage("scratch", {
    namespace: team,
    nodeGroup: "work",
    accessor: testAccess(proxy, { allow: ["upload", "delete"], credentials: [reader, writer] }),
  });
  const off = testStorage("off", {
    namespace: team,
    accessor: testAccess(proxy, { enabled: false, credentials: [] }),
  });
  const more = later.map((name) => testStorage(name, { namespace: team, accessor: testAccess(proxy) }));
  const container = testContainer("box", {
    namespace: team,
    authorizedKeys: [laptop.publicKey],
    gateway: gateway.ref,
    storage: [
      { from: models.ref, mountPath: "/models", readOnly: true },
      { from: scratch.ref, mountPath: "/scratch" },
    ],
  });
  const all = [models, scratch, off, ...more];
  return {
    urls: all.map(({ url }) => url),
    states: all.map(({ state }) => state),
    sshConfig: container.sshConfig,
    knownHosts: container.knownHosts,
  };
}

async function up() {
  const result = await stack.stack.up();
  const named = ((result.outputs.urls?.value as string[] | undefined) ?? []).map((url) => [
    url.split("/").at(-2) ?? "",
    url,
  ]);
  urls = Object.fromEntries(named) as Record<string, string>;
  return result;
}

const at = (name: string, path = "") => `${urls[name]}${path}`;

/** What a pod of another namespace gets. */
async function fetchFromStranger(url: string): Promise<string> {
  const command = ["wget", "-q", "-T", "3", "-O", "-", url];
  const outcome = await run("kubectl", ["-n", stranger, "exec", "probe", "--", ...command]);
  return outcome.stdout === "" ? "nothing" : outcome.stdout;
}

beforeAll(async () => {
  laptop = await Laptop.create();
  // The namespace is the platform's: what a team's stack leaves behind stays in it.
  const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
  await kubectl(
    ["apply", "-f", "-"],
    JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name: team, labels } }),
  );
  stack = await testStack(program);
  const { outputs } = await up();
  await laptop.configure(outputs.sshConfig?.value as string, outputs.knownHosts?.value as string);
  await startProbe(stranger);
});

afterAll(async () => {
  await stack.stack.destroy();
  await stopProbe(stranger);
  await kubectl(["delete", "namespace", team, "--ignore-not-found", "--wait=false"]);
  await stack.removeState();
  await laptop.remove();
});

describe("a prepared storage", () => {
  it("is ready, at an address with namespace and name", async () => {
    const outputs = await stack.stack.outputs();
    expect(outputs.states?.value).toEqual(["Ready", "Ready", "Ready"]);
    expect(at("models")).toMatch(/^http:\/\/[0-9.]+\/storage\/team-st\/models\/$/);
  });

  it("shows the same file through the proxy, over WebDAV and over scp in a container", async () => {
    const direct = await curl([...login(reader), at("models", "model/README.txt")]);
    expect(direct).toEqual({ status: 200, body: "seeded\n" });

    const listing = await curl([
      ...login(reader),
      "-X",
      "PROPFIND",
      "-H",
      "Depth: 1",
      at("models", "model/"),
    ]);
    expect(listing.status).toBe(207);
    expect(listing.body).toContain("<D:href>/storage/team-st/models/model/README.txt</D:href>");

    const copy = join(laptop.folder, "README.txt");
    const copied = await eventually("scp from the container", async () => {
      const outcome = await laptop.scp(["box:/models/model/README.txt", copy]);
      return outcome.code === 0 ? outcome : undefined;
    });
    expect(copied.code).toBe(0);
    expect((await run("cat", [copy])).stdout).toBe("seeded\n");
  });

  it("takes names in any script, and answers a search and a folder as one archive", async () => {
    const name = encodeURIComponent("мой каталог") + "/" + encodeURIComponent("名前.txt");
    expect(await curl([...login(reader), at("models", name)])).toEqual({ status: 200, body: "漢字\n" });
    const found = await curl([...login(reader), at("models", "?q=README&simple")]);
    expect(found).toEqual({ status: 200, body: "model/README.txt\n" });
    const archive = join(laptop.folder, "model.zip");
    expect((await curl([...login(reader), "-o", archive, at("models", "model/?zip")])).status).toBe(200);
    const names = await run("python3", ["-m", "zipfile", "-l", archive]);
    expect(names.stdout).toContain("README.txt");
  });

  it("answers curl -I, and a part of a file by Range", async () => {
    const head = await run("curl", ["-sI", ...login(reader), at("models")]);
    expect(head.stdout.split("\r\n")[0]).toBe("HTTP/1.1 200 OK");
    expect(await curl([...login(reader), "-r", "0-2", at("models", "model/README.txt")])).toEqual({
      status: 206,
      body: "see",
    });
  });

  it("belongs to the container's user, who writes where the mount allows it", async () => {
    const outcome = await laptop.ssh([
      "box",
      "echo by the container > /scratch/own.txt; touch /models/x 2>&1; stat -c '%u %g' /scratch/own.txt",
    ]);
    expect(outcome.stdout.split("\n")).toEqual([
      "touch: cannot touch '/models/x': Read-only file system",
      "1000 1000",
      "",
    ]);
    expect((await curl([...login(reader), at("scratch", "own.txt")])).body).toBe("by the container\n");
  });
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
    [
      "not a token behind other text",
      () => ["-H", `Authorization: x Bearer ${issuer.token({ team: "others" })}`],
      403,
    ],
  ])("%s", async (_, args, status) => {
    expect((await curl([...args(), file()])).status).toBe(status);
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

describe("pages in words", () => {
  const host = () => new URL(at("models")).origin;

  it.each([
    ["an unknown storage", () => `${host()}/storage/${team}/nothing/`, 404, "404: there is no storage"],
    ["an unknown namespace", () => `${host()}/storage/nobody/models/`, 404, "404: there is no storage"],
    ["no storage's path", () => `${host()}/`, 404, "404: there is no storage"],
    ["an accessor that is off", () => at("off"), 503, "503: this storage is not served now"],
  ])("%s", async (_, url, status, text) => {
    const answer = await curl([url()]);
    expect([answer.status, answer.body.slice(0, text.length)]).toEqual([status, text]);
  });

  it("tells another team's token that the storage is not its own", async () => {
    const token = issuer.token({ team: "others" });
    const answer = await curl(["-H", `Authorization: Bearer ${token}`, at("models")]);
    expect(answer).toEqual({
      status: 403,
      body: "403: this storage is not yours: the token is valid, but for others.\n",
    });
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
      ["-H", "Host: scratch-files.team-st.svc.cluster.local:5000"],
      ["-H", "X-Forwarded-Host: evil.example.com"],
      [
        "--request-target",
        `http://off-files.${team}.svc.cluster.local:5000/storage/${team}/models/model/README.txt`,
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

describe("a running download", () => {
  it("does not notice storages that come and go", async () => {
    const authorization = `Basic ${Buffer.from(`${reader.user}:${reader.password}`).toString("base64")}`;
    const response = await fetch(at("models", "big.bin"), { headers: { authorization } });
    const body = (response.body ?? expect.fail("no body")).getReader();
    const digest = createHash("sha256");
    const first = await body.read();
    digest.update(first.value ?? "");

    // Nothing more is read until both changes are done, so the download spans them however long they take.
    later = ["late"];
    await up();
    expect((await curl([...login(reader), at("late")])).status).toBe(200);
    later = [];
    await up();

    for (let part = await body.read(); !part.done; part = await body.read()) digest.update(part.value);
    const there = await laptop.ssh(["box", "sha256sum /models/big.bin"]);
    expect(there.stdout.split(" ")[0]).toBe(digest.digest("hex"));
  });
});

describe("its lifetime", () => {
  it("changes nothing on a second up, and does not prepare again", async () => {
    const before = await getObject<{ metadata: { uid: string } }>(["-n", team, "job", "models-prepare-1"]);
    expect(Object.keys((await up()).summary.resourceChanges ?? {})).toEqual(["same"]);
    const after = await getObject<{ metadata: { uid: string } }>(["-n", team, "job", "models-prepare-1"]);
    expect(after.metadata.uid).toBe(before.metadata.uid);
  });

  it("leaves its data behind, and takes it back by name", async () => {
    expect(
      (await curl([...login(writer), "-d", "kept", "-X", "PUT", at("scratch", "kept.txt")])).status,
    ).toBe(201);
    await stack.stack.destroy();
    const claims = await getObject<{ items: { metadata: { name: string } }[] }>(["-n", team, "pvc"]);
    expect(claims.items.map(({ metadata }) => metadata.name).sort()).toEqual([
      "box-home",
      "late-storage",
      "models-storage",
      "off-storage",
      "scratch-storage",
    ]);

    stack.setProgram(async () => {
      const accessor = testAccess(testProxy("files-st"));
      const scratch = testStorage("scratch", { namespace: team, claim: "scratch-storage", accessor });
      return { urls: [scratch.url] };
    });
    await up();
    expect(await curl([...login(reader), at("scratch", "kept.txt")])).toEqual({ status: 200, body: "kept" });
  });
});
