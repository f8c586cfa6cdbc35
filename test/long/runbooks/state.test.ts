/** docs/runbooks.md: a stack's state is lost or older than the cluster, with a back-up and without one. */
import { rm, truncate } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { takesOver } from "../../../scripts/lib/engine/engine.ts";
import { kubectl, Laptop, type Outcome } from "../../../scripts/lib/lab/lab.ts";
import { objectsIn, platformNamespaces, Runbook } from "./runbook.fixture.ts";

let book: Runbook;
let guest: Laptop;
let other: Laptop;
beforeAll(async () => {
  [guest, other] = [await Laptop.create("guest"), await Laptop.create("other")];
  book = await Runbook.create("docs/runbooks.md", { team: { "team.containers.dev1.env.DROPPED": "later" } });
});
afterAll(async () => {
  await book.close();
  await Promise.all([guest.remove(), other.remove()]);
});

/** As a backend that nobody can bring back: nothing of the stack is left in it. */
async function lose(stack: "platform" | "team-a"): Promise<void> {
  for (const folder of ["stacks", "history", "backups", "locks"])
    await rm(join(book.project.backend, ".pulumi", folder, "drawbridge", stack), {
      recursive: true,
      force: true,
    });
  for (const ending of ["json", "json.bak", "json.attrs", "json.bak.attrs"])
    await rm(join(book.project.backend, ".pulumi/stacks/drawbridge", `${stack}.${ending}`), { force: true });
  expect((await book.shell(`pulumi stack export --stack ${stack}`)).code).not.toBe(0);
}

/** What must be the same before and after: the cluster's objects to the last restart, and the state's list of them. */
async function whole() {
  return {
    cluster: await objectsIn([...platformNamespaces, "team-a"]),
    team: await book.stateObjects("team-a"),
    platform: await book.stateObjects("platform"),
  };
}

/** Someone's session that goes on through all of it, and with which a login later compares. */
async function meanwhile(event: () => Promise<void>): Promise<void> {
  const session = book.laptop.openCounter("dev1");
  try {
    await session.reached(5);
    await event();
    const lines = session.lines.length;
    await session.reached(lines + 20);
    expect([session.alive, session.unbroken]).toEqual([true, true]);
  } finally {
    await session.close();
  }
  expect(await book.login("dev1", "hostname")).toBe("dev1-0\n");
}

describe("cut off while it is written", () => {
  it.each([
    ["is what it was before", ["json"]],
    ["is that of the last whole update where the copy beside it is cut off as well", ["json", "json.bak"]],
  ])("%s", async (_, endings) => {
    const before = await whole();
    const folder = join(book.project.backend, ".pulumi/stacks/drawbridge");
    for (const ending of endings) await truncate(join(folder, `team-a.${ending}`), 4096);
    expect((await book.shell("pulumi stack export --stack team-a")).stderr).toContain(
      "failed to load checkpoint",
    );
    await book.follow(".json.bak");
    await book.follow("pulumi cancel");
    await book.follow("pulumi up --stack team-a && pulumi preview");
    expect(await whole()).toEqual(before);
  });
});

describe("with a back-up", () => {
  it("older than the cluster, everything is as before, and nobody notices", async () => {
    await book.set("team-a", { "team.containers.dev3.authorizedKeys[0]": book.laptop.publicKey });
    await book.up("team-a");
    await book.follow("pulumi stack export --stack team-a --file");
    // Since then one container went, one came, and one was changed.
    await book.type("pulumi config rm --stack team-a --path 'drawbridge:team.containers.dev3'");
    await book.set("team-a", {
      "team.containers.dev2.authorizedKeys[0]": book.laptop.publicKey,
      "team.containers.dev1.authorizedKeys[1]": guest.publicKey,
    });
    await book.up("team-a");
    await book.login("dev2", "true");
    const before = await whole();
    await meanwhile(async () => {
      await lose("team-a");
      await book.follow("pulumi stack import");
      await endsAtWhatExists(await book.shell(await book.pageBlock("up --stack team-a --refresh")));
      await takeOver("team-a");
    });
    expect(await whole()).toEqual(before);
    // What was in the back-up and what was taken over can both be changed.
    await book.set("team-a", {
      "team.containers.dev1.authorizedKeys[1]": other.publicKey,
      "team.containers.dev2.authorizedKeys[1]": other.publicKey,
    });
    await book.up("team-a");
  });

  it("of the last minute, it takes a refresh", async () => {
    const before = await whole();
    await meanwhile(async () => {
      await book.follow("pulumi stack export --stack team-a --file");
      await lose("team-a");
      await book.follow("pulumi stack import");
      await book.follow("up --stack team-a --refresh");
    });
    expect(await whole()).toEqual(before);
  });
});

describe("without one", () => {
  it("a plain up changes nothing; taken over, everything is as before, and nobody notices", async () => {
    const before = await whole();
    await meanwhile(async () => {
      await lose("team-a");
      await book.type("pulumi stack select team-a --create");
      await endsAtWhatExists(await book.shell("pulumi up --stack team-a"));
      expect(await objectsIn([...platformNamespaces, "team-a"])).toEqual(before.cluster);
      await takeOver("team-a");
    });
    expect(await whole()).toEqual(before);
  });

  it("of the platform's stack neither", async () => {
    const before = await whole();
    await meanwhile(async () => {
      await lose("platform");
      await takeOver("platform");
      // What teams take from it is what it was.
      await book.type("pulumi preview --stack team-a --expect-no-changes");
    });
    expect(await whole()).toEqual(before);
  });

  it("later changes arrive, and what the file drops goes", async () => {
    await book.type("pulumi config rm --stack team-a --path 'drawbridge:team.containers.dev1.env'");
    await book.type(
      "pulumi config rm --stack team-a --path 'drawbridge:team.containers.dev1.authorizedKeys[1]'",
    );
    await book.type("pulumi config rm --stack team-a --path 'drawbridge:team.containers.dev2'");
    await book.set("platform", { "platform.gateway.resources.requests.memory": "130Mi" });
    await book.up("platform");
    await book.up("team-a");
    expect(await book.login("dev1", "echo ${DROPPED-gone}")).toBe("gone\n");
    const left = await kubectl(["-n", "team-a", "get", "all,configmap,secret,pvc", "-o", "name"]);
    expect(left.split("\n").filter((name) => name.includes("dev2"))).toEqual([
      "persistentvolumeclaim/dev2-home",
    ]);
    const keys = ["-n", "team-a", "get", "configmap", "dev1-authorized-keys"];
    expect(await kubectl([...keys, "-o", "jsonpath={.data.authorized_keys}"])).not.toContain("other");
  });
});

/** An `up` of a program whose objects are there; where the provider takes them over, they are what the file says. */
async function endsAtWhatExists({ code, stdout, stderr }: Outcome): Promise<void> {
  if (await takesOver()) expect(code, stderr).toBe(0);
  else {
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain("already exists");
  }
}

/** The page's steps without a back-up. */
async function takeOver(stack: "platform" | "team-a"): Promise<void> {
  for (const mark of [
    "PULUMI_K8S_UPSERT_EXISTING_OBJECTS=true",
    "managedFields",
    "refresh --stack team-a\npulumi preview",
  ]) {
    const block = await book.pageBlock(mark);
    await book.type(block.replaceAll("team-a", stack));
  }
}
