import { join } from "node:path";
import { z } from "zod";

/** An instance's name becomes a folder, a host name and a part of a cgroup's name. */
export const InstanceName = z
  .string()
  .regex(
    /^[a-z0-9]([a-z0-9-]{0,18}[a-z0-9])?$/,
    "use 1 to 20 lower-case letters, digits and hyphens, with a letter or digit at both ends",
  );

/** Folder that holds one folder per instance. */
export function stateDir(env: NodeJS.ProcessEnv = process.env): string {
  return env.DRAWBRIDGE_LAB_STATE ?? "/var/lib/drawbridge-lab";
}

/** The paths of one node. */
export interface NodeLayout {
  /** Which process the node is, written by the command that starts it. */
  record: string;
  /** How far the node has come, written by its supervisor. */
  status: string;
  logs: string;
  config: string;
  containerd: string;
  kubelet: string;
  podLogs: string;
  /** What the node sees as /var/log. */
  machineLogs: string;
  cni: string;
  /** Volumes that stay on this node. */
  volumes: string;
  /** cgroup below which the node's pods run, as kubelet names it (without the hierarchy's mount point). */
  cgroup: string;
}

/** The paths of one instance, with those of its first node. `down` removes them all. */
export interface Layout extends NodeLayout {
  root: string;
  /** What the supervisors are to run, written by `up`. */
  plan: string;
  /** The administrator's kubeconfig. */
  kubeconfig: string;
  certificates: string;
  kubeconfigs: string;
  /** Programs that `exec` puts on PATH. */
  bin: string;
  etcd: string;
  /** Links to programs that are replaced while the lab runs. */
  programs: string;
  /** Volumes that move from node to node. */
  networkVolumes: string;
}

export function layoutOf(name: string, state: string = stateDir()): Layout {
  const root = join(state, name);
  const at = (folder: string) => join(root, folder);
  return {
    ...nodeFolders(root, `/drawbridge-lab-${name}`),
    root,
    plan: at("plan.json"),
    record: at("instance.json"),
    kubeconfig: at("kubeconfig"),
    certificates: at("certificates"),
    kubeconfigs: at("kubeconfigs"),
    bin: at("bin"),
    etcd: at("etcd"),
    programs: at("programs"),
    networkVolumes: at("network-volumes"),
  };
}

/** The paths of a further node, below the instance's folder and cgroup. */
export function furtherNodeLayout({ root, cgroup }: Layout, node: string): NodeLayout {
  return nodeFolders(join(root, node), join(cgroup, node));
}

function nodeFolders(root: string, cgroup: string): NodeLayout {
  const at = (folder: string) => join(root, folder);
  return {
    record: at("node.json"),
    status: at("status.json"),
    logs: at("logs"),
    config: at("config"),
    containerd: at("containerd"),
    kubelet: at("kubelet"),
    podLogs: at("pod-logs"),
    machineLogs: at("var-log"),
    cni: at("cni"),
    volumes: at("volumes"),
    cgroup,
  };
}

/** The containerd socket as seen inside a node, where /run is a file system of its own. */
export const containerdSocket = "/run/containerd/containerd.sock";
