/** The demo's steps, run where the cluster's addresses can be reached. */
import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Stack, UpResult } from "@pulumi/pulumi/automation/index.js";
import { lineProgress } from "../../packages/lab/src/index.ts";
import { pulumiTools } from "../../packages/lab/src/pulumi.ts";
import { eventually, kubectl, Laptop, run } from "../lib/lab/lab.ts";
import { labPlatform, labTeam, plainOutputs, setPaths } from "../lib/stacks/stacks.ts";
import { openStack, prepareProject, valuesFor } from "./stacks.ts";
import { demoFolder, labName, StepFailed, say, step, succeeded, withoutStoragePage } from "./steps.ts";
import { browse, overTheApi } from "./ways.ts";

const pod = "team-a/dev1-0";
const storagePage = process.env[withoutStoragePage] === undefined;
const reader = { user: "alice", password: randomBytes(12).toString("hex") };

const tools = await pulumiTools(lineProgress((line) => console.log(line)));
console.log(tools.summary);

/** Pulumi's own output, as a reviewer reads it. */
const shown = { onOutput: (text: string) => process.stdout.write(text), color: "never" as const };

function changes(result: UpResult): string {
  const counted = result.summary.resourceChanges ?? {};
  return Object.entries(counted)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(", ");
}

async function configure(platform: Stack, team: Stack, laptop: Laptop): Promise<void> {
  const secret = () => ({ value: randomBytes(32).toString("base64"), secret: true });
  await platform.setConfig("drawbridge:frpSeed", secret());
  await team.setConfig("drawbridge:hostKeySeed", secret());
  // A short drain, so that the demo can show a whole drain window.
  await setPaths(platform, { ...valuesFor(labPlatform), "platform.gateway.drainSeconds": "10" });
  await setPaths(team, {
    ...valuesFor(labTeam),
    "team.containers.dev1.authorizedKeys[0]": laptop.publicKey,
  });
  if (!storagePage) return;
  const browsing = "team.storages.models.browse";
  await setPaths(team, { [`${browsing}.enabled`]: "true", [`${browsing}.credentials[0].user`]: reader.user });
  const password = `drawbridge:${browsing}.credentials[0].password`;
  await team.setConfig(password, { value: reader.password, secret: true }, true);
}

async function outputsToLaptop(team: Stack, laptop: Laptop): Promise<void> {
  const outputs = await team.outputs();
  await laptop.configure(String(outputs.sshConfig?.value), String(outputs.knownHosts?.value));
}

/** What the team's stack says of its container. */
async function published(team: Stack) {
  const outputs = await team.outputs();
  const containers = outputs.containers?.value as { dev1: { sshCommand: string; frpCommand: string } };
  return containers.dev1;
}

/** Runs a published command with this laptop's key and known_hosts, until the way is open. */
async function byCommand(laptop: Laptop, command: string, remote: string): Promise<string> {
  say(`$ ${command}`);
  const strict = `-F ${laptop.plainConfigFile} -o StrictHostKeyChecking=yes`;
  return eventually("a login", async () => {
    return succeeded(await run("sh", ["-c", `${command} ${strict} ${remote}`], { env: laptop.env }), "ssh");
  });
}

async function demo(): Promise<void> {
  await prepareProject();
  const laptop = await Laptop.create("demo", join(demoFolder, "laptop"));
  const platform = await openStack(tools, "platform");
  const team = await openStack(tools, "team-a");
  await configure(platform, team, laptop);

  await step("pulumi preview of both stacks", async () => {
    for (const stack of [platform, team]) await stack.preview(shown);
  });
  await step("pulumi up: the platform (SSH gateway, frp server, storage proxy)", async () => {
    say(changes(await platform.up(shown)));
    await setPaths(team, await plainOutputs(platform));
  });
  await step(
    "pulumi up: team-a (namespace, storage, one container with all ways in)",
    async () => say(changes(await team.up(shown))),
    pod,
  );
  await outputsToLaptop(team, laptop);

  const logins: Record<string, () => Promise<string>> = {
    "ssh through the gateway with proxytunnel, host key checked strictly, no kubeconfig": async () =>
      succeeded(await laptop.ssh(["dev1", "id; hostname; sed -n 's/^Cap/Cap/p' /proc/self/status"]), "ssh"),
    "ssh with the one published command (nc -X connect)": async () =>
      byCommand(laptop, (await published(team)).sshCommand, "echo logged in with nc"),
    "ssh through frp, with the same key and the same host key": async () =>
      byCommand(laptop, (await published(team)).frpCommand, "echo logged in through frp"),
    "ssh over the Kubernetes API (the sshpod way, which needs a kubeconfig and nothing in the pod)": () =>
      overTheApi(laptop, "jovyan@pod--dev1-0.namespace--team-a.sshpod", "echo logged in over the API"),
  };
  for (const [title, login] of Object.entries(logins)) await step(title, async () => say(await login()), pod);
  if (storagePage)
    await step(
      "browse the storage behind the shared proxy: closed without a credential, open with one",
      async () => {
        const storages = (await team.outputs()).storages?.value as { models: { url: string } };
        for (const line of await browse(storages.models.url, reader)) say(line);
      },
    );
  await step("read the storage's file in the container", async () => {
    say(succeeded(await laptop.ssh(["dev1", "cat /models/model/README.txt"]), "the file"));
  });
  await step(
    "scp a file in, delete the pod, read the file back when it is there again",
    async () => {
      const note = join(demoFolder, "note.txt");
      await writeFile(note, `kept over a pod's death: ${randomBytes(8).toString("hex")}\n`);
      succeeded(await laptop.scp([note, "dev1:note.txt"]), "scp");
      await kubectl(["-n", "team-a", "delete", "pod", "dev1-0", "--wait=true"]);
      const back = await eventually("a login after the pod came back", async () => {
        const outcome = await laptop.ssh(["dev1", "cat note.txt"]);
        return outcome.code === 0 ? outcome.stdout : undefined;
      });
      if (back !== (await readFile(note, "utf8"))) throw new Error(`the file came back changed: ${back}`);
      say(back);
    },
    pod,
  );
  const session = laptop.openCounter("dev1");
  try {
    await step(
      "add a second container while a session is open on the first",
      async () => {
        await session.reached(5);
        await setPaths(team, { "team.containers.dev2.authorizedKeys[0]": laptop.publicKey });
        say(changes(await team.up(shown)));
        await outputsToLaptop(team, laptop);
        say(succeeded(await laptop.ssh(["dev2", "hostname"]), "ssh to dev2"));
        const now = session.lines.length;
        await session.reached(now + 30);
        if (!session.alive || !session.unbroken)
          throw new Error(`the open session was disturbed: ${session.stderr}`);
        say(`the session on dev1 printed ${session.lines.length} lines and lost none`);
      },
      "team-a/dev2-0",
    );
  } finally {
    await session.close();
  }
  await step("another pulumi up changes nothing", async () => {
    for (const stack of [platform, team]) {
      const result = await stack.up({ color: "never" });
      say(`${stack.name}: ${changes(result)}`);
      const changed = Object.keys(result.summary.resourceChanges ?? {}).filter((kind) => kind !== "same");
      if (changed.length > 0) throw new Error(`${stack.name} still had changes: ${changes(result)}`);
    }
  });
  console.log("\nConnect yourself:");
  const inside = process.env.DRAWBRIDGE_LAB === undefined ? "" : `npm run lab -- exec --name ${labName} -- `;
  console.log(`  ${inside}ssh -F ${laptop.configFile} dev1`);
}

async function remove(): Promise<void> {
  for (const name of ["team-a", "platform"] as const) {
    const stack = await openStack(tools, name);
    await step(`pulumi destroy: ${name}`, async () => {
      await stack.destroy(shown);
    });
  }
  console.log(
    "Kept by design: the namespace team-a with its home volumes. Remove it with: kubectl delete namespace team-a",
  );
}

try {
  await (process.argv.includes("--down") ? remove() : demo());
  if (!process.argv.includes("--down")) console.log("demo: ok");
} catch (error) {
  if (!(error instanceof StepFailed))
    console.error(`demo: failed: ${error instanceof Error ? error.stack : error}`);
  process.exitCode = 1;
}
