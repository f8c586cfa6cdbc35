/** Programs in pods of the platform, killed as by a bug of their own: the kubelet starts each again in its pod. */
import { eventually, getObject } from "../../../scripts/lib/lab/lab.ts";
import type { PodObject } from "../../support/lab/nodes.ts";
import { podProcesses } from "../../support/lab/processes.ts";
import { type Fault, type MayEnd, nothing } from "../fault.ts";
import { frpServer, frpTeam, storage, storageProxy, storageTeam } from "../teams.ts";

interface Service {
  readonly namespace: string;
  /** Of its pod. */
  readonly instance: string;
  /** The end of its first argument, and of no other program's in the pod. */
  readonly command: string;
  readonly mayEnd: MayEnd;
}

const frp = { ...nothing, frp: true };
const services: Readonly<Record<string, Service>> = {
  frps: { namespace: frpServer, instance: frpServer, command: "frps", mayEnd: frp },
  frpc: { namespace: frpTeam, instance: frpTeam, command: "frpc", mayEnd: frp },
  // While it is away frps refuses pings, and a container that is refused connects anew.
  authorizer: { namespace: frpServer, instance: frpServer, command: "node", mayEnd: frp },
  "storage-proxy": { namespace: storageProxy, instance: storageProxy, command: "envoy", mayEnd: nothing },
  dufs: { namespace: storageTeam, instance: storage, command: "dufs", mayEnd: nothing },
};

export const serviceFaults: readonly Fault[] = Object.entries(services).map(
  ([name, { namespace, instance, command, mayEnd }]) => ({
    name: `${name}-killed`,
    lasts: [0, 0],
    async inject() {
      const selected = ["-n", namespace, "pods", "-l", `app.kubernetes.io/instance=${instance}`];
      const { items } = await getObject<{ items: PodObject[] }>(selected);
      const [pod] = items;
      const old = pod === undefined ? [] : podProcesses(pod.metadata.uid, command);
      if (pod === undefined || old.length === 0) throw new Error(`no ${command} runs for ${instance}`);
      for (const pid of old) process.kill(pid, "SIGKILL");
      const heal = async () => {
        const anew = async () => podProcesses(pod.metadata.uid, command).some((pid) => !old.includes(pid));
        await eventually(`another ${name}`, anew, 180);
      };
      return { target: pod.metadata.name, mayEnd, heal };
    },
  }),
);
