/**
 * Full disks. The lab's volumes are folders of this machine, so neither is filled itself: a home gets an upper side that is
 * full, and the disk of a node's container logs a full one in its place.
 */
import { getObject, kubectl, run } from "../../../scripts/lib/lab/lab.ts";
import { inNode, labNodes, type PodObject } from "../../support/lab/nodes.ts";
import { podProcesses } from "../../support/lab/processes.ts";
import { Breach, type Fault, nothing } from "../fault.ts";
import { picked } from "../schedule.ts";
import { hostOf, knockingTeam, teams } from "../teams.ts";

const home = "/home/jovyan";
const fill = `
mount -t tmpfs -o size=1m none /mnt
mkdir /mnt/upper /mnt/work
chown --reference=${home} /mnt/upper
chmod --reference=${home} /mnt/upper
mount -t overlay -o lowerdir=${home},upperdir=/mnt/upper,workdir=/mnt/work none ${home}
dd if=/dev/zero of=/mnt/filler bs=64k 2>/dev/null || true
`;
// Lazily: who logged in meanwhile stands there.
const empty = `umount --lazy ${home}; umount --lazy /mnt`;

const podOf = (team: string) => getObject<PodObject>(["-n", team, "pod", `${team}-0`]);

export const disks: readonly Fault[] = [
  {
    name: "home-full",
    lasts: [3, 15],
    async inject(pick, { laptop }) {
      // The other one's own program writes into its home all the time.
      const team = picked(
        teams.filter((one) => one !== knockingTeam),
        pick,
      );
      // sshd writes over its arguments how many are about to log in.
      const [sshd] = podProcesses((await podOf(team)).metadata.uid, " startups");
      if (sshd === undefined) throw new Error(`no sshd runs for ${team}`);
      // `umount` looks for itself in /proc, so it has to be a process of the container's.
      const inside = async (script: string) => {
        const command = [`--target=${sshd}`, "--mount", "--pid", "sh", "-euc", script];
        const { code, stderr } = await run("nsenter", command);
        if (code !== 0) throw new Error(stderr.trim());
      };
      await inside(fill);
      const attempt = await laptop.ssh([hostOf(team), "head -c 100000 /dev/zero > drill-too-much"]);
      const heal = async () => {
        // Nobody is locked out by it.
        const { code, stderr } = await laptop.ssh([hostOf(team), "true"]);
        await inside(empty);
        if (code !== 0) throw new Error(`no login while the home was full: ${stderr.trim()}`);
        if (!attempt.stderr.includes("No space left on device")) {
          throw new Breach(`the home was not full: ${attempt.stderr.trim()}`);
        }
      };
      return { target: team, mayEnd: nothing, heal };
    },
  },
  {
    name: "log-disk-full",
    lasts: [5, 20],
    // While it is full no container of that node can be started, so one that is deleted comes back when it is not.
    async inject(pick) {
      const { name, layout } = picked(await labNodes(), pick);
      const full = ["mount", "-t", "tmpfs", "-o", "size=4k,nr_inodes=1", "none", layout.podLogs];
      const { code, stderr } = await inNode(name, "mount", full);
      if (code !== 0) throw new Error(stderr.trim());
      const pods = await Promise.all(teams.map(async (team) => ({ team, ...(await podOf(team)) })));
      const hit = pods.filter(({ spec }) => spec.nodeName === name).map(({ team }) => team);
      for (const team of hit) await kubectl(["-n", team, "delete", "pod", `${team}-0`]);
      const heal = async () => {
        await inNode(name, "mount", ["umount", layout.podLogs]);
      };
      return { target: [name, ...hit].join(", "), mayEnd: { ...nothing, containers: hit }, heal };
    },
  },
];
