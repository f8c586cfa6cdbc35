/**
 * `npm run demo`: brings up a lab (or uses the cluster in KUBECONFIG), ships the stacks, logs in.
 * `npm run demo -- --down` removes everything again.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { parseArgs } from "node:util";
import {
  down,
  ensureDebianPackages,
  execInLab,
  imageRef,
  lineProgress,
  missingCompilers,
  missingFamilies,
  podImages,
  up,
} from "../packages/lab/src/index.ts";
import { demoFolder, labName, withoutStoragePage } from "./demo/steps.ts";

const ownCluster = process.env.KUBECONFIG !== undefined && process.env.KUBECONFIG !== "";
const steps = ["node", "scripts/demo/main.ts"];
const progress = lineProgress((line) => console.log(line));

/** Runs the steps where the cluster's addresses can be reached. */
async function runSteps(...args: string[]): Promise<number> {
  if (!ownCluster) return execInLab(labName, [...steps, ...args]);
  return spawnSync("node", [...steps.slice(1), ...args], { stdio: "inherit" }).status ?? 1;
}

async function remove(): Promise<number> {
  // A lab vanishes whole; someone's cluster is cleaned object by object.
  const code = ownCluster ? await runSteps("--down") : 0;
  if (!ownCluster) await down(labName);
  if (code === 0) {
    await rm(demoFolder, { recursive: true, force: true });
    console.log("demo: removed");
  }
  return code;
}

async function demo(): Promise<number> {
  const missing = ownCluster ? missingForDemo() : [];
  if (missing.length > 0) throw new Error(missing.join("\n"));
  if (existsSync(demoFolder)) {
    console.log("removing the previous demo …");
    const code = await remove();
    if (code !== 0) return code;
  }
  if (!ownCluster) {
    // The laptop's side of the demo, which needs the network to install.
    await ensureDebianPackages(["openssh-client", "proxytunnel", "netcat-openbsd", "curl"], progress);
    const obstacles = await missingCompilers(missingFamilies(["dufs"]));
    if (obstacles.length > 0) {
      console.log(`the demo goes on without the storage's page: ${obstacles.join(" ")}`);
      process.env[withoutStoragePage] = "yes";
    }
    const images = podImages.filter((image) => image !== "dufs" || obstacles.length === 0);
    await up({ name: labName, images }, progress);
  }
  return runSteps();
}

const neededPrograms = ["kubectl", "ssh", "scp", "nc", "proxytunnel", "curl"];
const istio = "virtualservices.networking.istio.io";

/** What a cluster and a machine lack that the demo did not set up itself: one sentence each, before anything is made. */
function missingForDemo(): string[] {
  const absent = neededPrograms.filter((program) => spawnSync("which", [program]).status !== 0);
  if (absent.length > 0) return [`these programs are not on PATH: ${absent.join(", ")}. Install them.`];
  const nodes = kubectl("get", "nodes", "-o", "jsonpath={.items[*].status.images[*].names}");
  if (nodes.status !== 0) {
    const reason = nodes.stderr.trim().split("\n").at(-1);
    return [`the cluster of KUBECONFIG (${process.env.KUBECONFIG}) does not answer: ${reason}`];
  }
  const missing: string[] = [];
  if (kubectl("get", "crd", istio).status !== 0) {
    missing.push(
      `the cluster has no Istio (no ${istio}). Install it, or unset KUBECONFIG to have a lab started on this machine.`,
    );
  }
  // Only a lab's node has images that no registry serves.
  if (!process.env.DRAWBRIDGE_IMAGES && !nodes.stdout.includes(imageRef("devcontainer"))) {
    missing.push(
      "DRAWBRIDGE_IMAGES is not set. Push the images with packages/images/build.sh --push registry.example.com/drawbridge, and name that registry in it.",
    );
  }
  return missing;
}

function kubectl(...args: string[]) {
  return spawnSync("kubectl", [...args, "--request-timeout=15s"], { encoding: "utf8" });
}

const usage = `npm run demo              brings up a lab and the stacks, and logs in
npm run demo -- --down    removes everything again

With KUBECONFIG set, your own cluster is used instead of a lab.`;

try {
  const { values } = parseArgs({
    options: { down: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help === true) console.log(usage);
  else process.exitCode = values.down === true ? await remove() : await demo();
} catch (error) {
  console.error(`demo: failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
