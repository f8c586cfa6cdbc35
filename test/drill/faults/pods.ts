/** Containers' pods that end, by different hands. */
import { apply, eventually, getObject, kubectl } from "../../../scripts/lib/lab/lab.ts";
import { evict, labNodes } from "../../support/lab/nodes.ts";
import { Breach, byItself, type Fault, nothing } from "../fault.ts";
import { bringBack, putAside } from "../images.ts";
import { drillLabels } from "../repair.ts";
import { picked } from "../schedule.ts";
import { evictableTeam, hostOf, knockingTeam, teams } from "../teams.ts";

async function uidOf(team: string): Promise<string> {
  const { metadata } = await getObject<{ metadata: { uid: string } }>(["-n", team, "pod", `${team}-0`]);
  return metadata.uid;
}

/** Waits until another pod has the name: until then the old one may look ready. */
async function successor(team: string, old: string): Promise<void> {
  await eventually(`the successor of ${team}-0`, async () => (await uidOf(team)) !== old, 120);
}

export const pods: readonly Fault[] = [
  {
    name: "container-pod-deleted",
    lasts: [0, 0],
    async inject(pick) {
      const team = picked(teams, pick);
      await kubectl(["-n", team, "delete", "pod", `${team}-0`]);
      return { target: team, mayEnd: { ...nothing, containers: [team] }, heal: byItself };
    },
  },
  {
    name: "container-pod-killed",
    lasts: [0, 0],
    async inject(pick) {
      const team = picked(teams, pick);
      await kubectl(["-n", team, "delete", "pod", `${team}-0`, "--force", "--grace-period=0"]);
      return { target: team, mayEnd: { ...nothing, containers: [team] }, heal: byItself };
    },
  },
  {
    name: "container-evicted",
    lasts: [0, 0],
    // The others' budgets refuse it, which is the next kind.
    async inject() {
      const team = evictableTeam;
      const old = await uidOf(team);
      const answer = await evict(team, `${team}-0`);
      if (answer.code !== 0) throw new Error(answer.stderr.trim());
      const heal = () => successor(team, old);
      return { target: team, mayEnd: { ...nothing, containers: [team] }, heal };
    },
  },
  {
    name: "eviction-refused",
    lasts: [0, 0],
    async inject(pick) {
      const team = picked(
        teams.filter((one) => one !== evictableTeam),
        pick,
      );
      const old = await uidOf(team);
      const { code, stderr } = await evict(team, `${team}-0`);
      const heal = async () => {
        if (code === 0 || (await uidOf(team)) !== old)
          throw new Breach(`${team} may not be evicted, and was`);
        if (!stderr.includes("disruption budget")) throw new Breach(`refused for another reason: ${stderr}`);
      };
      return { target: team, mayEnd: nothing, heal };
    },
  },
  {
    name: "quota-exceeded",
    lasts: [2, 10],
    // A pod that ends while its namespace may have none.
    async inject(pick) {
      const team = picked(teams, pick);
      const old = await uidOf(team);
      const quota = {
        apiVersion: "v1",
        kind: "ResourceQuota",
        metadata: { name: "drill-none", namespace: team, labels: drillLabels },
        spec: { hard: { pods: "0" } },
      };
      await apply(quota);
      await kubectl(["-n", team, "delete", "pod", `${team}-0`]);
      const heal = async () => {
        await kubectl(["-n", team, "delete", "resourcequota", quota.metadata.name]);
        await successor(team, old);
      };
      return { target: team, mayEnd: { ...nothing, containers: [team] }, heal };
    },
  },
  {
    name: "image-gone",
    lasts: [2, 8],
    // A pod that ends while no node has its image any more, and nobody can give it.
    async inject(pick) {
      const team = picked(teams, pick);
      const old = await uidOf(team);
      const { spec } = await getObject<{ spec: { containers: { image: string }[] } }>([
        "-n",
        team,
        "pod",
        `${team}-0`,
      ]);
      const nodes = await labNodes();
      for (const { name } of nodes) await putAside(name, spec.containers[0]?.image ?? "");
      await kubectl(["-n", team, "delete", "pod", `${team}-0`]);
      const heal = async () => {
        for (const { name } of nodes) await bringBack(name);
        await successor(team, old);
      };
      return { target: team, mayEnd: { ...nothing, containers: [team] }, heal };
    },
  },
  {
    name: "container-out-of-memory",
    lasts: [0, 0],
    // A program that a person starts; the kernel takes the largest one, and sessions are small.
    async inject(pick, { laptop }) {
      const team = picked(
        teams.filter((one) => one !== knockingTeam),
        pick,
      );
      // A shell that waits can tell how the program ended.
      const command = [hostOf(team), "tail /dev/zero; exit $?"];
      const { code, stderr } = await laptop.ssh(command, { timeoutSeconds: 120 });
      if (code !== 137) throw new Error(`the program ended with code ${code}: ${stderr.trim()}`);
      return { target: team, mayEnd: nothing, heal: byItself };
    },
  },
];
