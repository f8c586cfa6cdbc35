/** A storage from preparation to download, over the real dufs, Envoy, kubelet and OpenSSH. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testStack } from "../../scripts/lib/engine/engine.ts";
import { eventually, getObject, kubectl, Laptop, run } from "../../scripts/lib/lab/lab.ts";
import { byGateway, endStack, testContainer, testGateway } from "../support/lab/cluster.ts";
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

const team = "team-st";
const issuer = new TokenIssuer("https://id.example.com");

let laptop: Laptop;
let stack: Awaited<ReturnType<typeof testStack>>;
let urls: Record<string, string>;
let later: string[] = [];
let searchable = false;

async function program() {
  const proxy = testProxy("files-st");
  const gateway = testGateway("gw-st");
  const models = testStorage("models", {
    namespace: team,
    colocationGroup: "work",
    prepare: prepareWith(
      `mkdir -p model "мой каталог"; echo seeded > model/README.txt; echo 漢字 > "мой каталог/名前.txt"
         ln -s /etc/passwd leak; ln -s /etc leaks; ln -s model/README.txt inside
         dd if=/dev/urandom of=big.bin bs=1M count=32`,
    ),
    browse: testAccess(proxy, {
      actions: ["search", "archive"],
      jwt: { issuer: issuer.name, jwks: issuer.jwks, values: [team] },
    }),
  });
  const scratch = testStorage("scratch", {
    namespace: team,
    colocationGroup: "work",
    browse: testAccess(proxy, {
      actions: ["upload", "delete", ...(searchable ? (["search"] as const) : [])],
      credentials: [reader, writer],
    }),
  });
  const off = testStorage("off", {
    namespace: team,
    browse: testAccess(proxy, { enabled: false, credentials: [] }),
  });
  const more = later.map((name) => testStorage(name, { namespace: team, browse: testAccess(proxy) }));
  const container = testContainer("box", {
    namespace: team,
    authorizedKeys: [laptop.publicKey],
    access: byGateway(gateway),
    mounts: [
      { storage: models.ref, mountPath: "/models", readOnly: true },
      { storage: scratch.ref, mountPath: "/scratch" },
    ],
  });
  const all = [models, scratch, off, ...more];
  return {
    urls: all.map(({ url }) => url),
    states: all.map(({ status }) => status.phase),
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

beforeAll(async () => {
  laptop = await Laptop.create();
  // The namespace is the platform's: what a team's stack leaves behind stays in it.
  const labels = { "pod-security.kubernetes.io/enforce": "restricted", "drawbridge.dev/team": team };
  await kubectl(
    ["apply", "-f", "-"],
    JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name: team, labels } }),
  );
  stack = await testStack(program);
  const { outputs } = await up();
  await laptop.configure(outputs.sshConfig?.value as string, outputs.knownHosts?.value as string);
});

afterAll(() => endStack(stack, [team], laptop));

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

describe("a running download", () => {
  it("does not notice storages that come, change and go", async () => {
    const authorization = `Basic ${Buffer.from(`${reader.user}:${reader.password}`).toString("base64")}`;
    const response = await fetch(at("models", "big.bin"), { headers: { authorization } });
    const body = (response.body ?? expect.fail("no body")).getReader();
    const digest = createHash("sha256");
    const first = await body.read();
    digest.update(first.value ?? "");

    // Nothing more is read until both changes are done, so the download spans them however long they take.
    later = ["late"];
    searchable = true;
    await up();
    expect((await curl([...login(reader), at("late")])).status).toBe(200);
    expect((await curl([...login(reader), at("scratch", "?q=own&simple")])).body).toBe("own.txt\n");
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
    const { stdout } = await stack.stack.destroy({ color: "never" });
    // Pulumi itself says what stays.
    const kept = [...stdout.matchAll(/PersistentVolumeClaim (\S+) deleted \([\d.]+s\)(\S*)/g)];
    expect(kept.map(([, name, how]) => `${name} ${how}`).sort()).toEqual([
      "box-home [retain]",
      "models-claim [retain]",
      "off-claim [retain]",
      "scratch-claim [retain]",
    ]);
    expect(stdout.match(/ deleted .*\[retain\]/g)).toHaveLength(kept.length);
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
      const scratch = testStorage("scratch", {
        namespace: team,
        claimName: "scratch-storage",
        browse: accessor,
      });
      return { urls: [scratch.url] };
    });
    await up();
    expect(await curl([...login(reader), at("scratch", "kept.txt")])).toEqual({ status: 200, body: "kept" });
  });
});
