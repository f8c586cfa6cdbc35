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

/** Where one instance keeps what. All of it is removed by `down`. */
export interface Layout {
  root: string;
  /** What the supervisor is to run, written by `up`. */
  plan: string;
  /** Which process the instance is, written by `up`. */
  record: string;
  /** How far the instance has come, written by the supervisor. */
  status: string;
  /** The administrator's. */
  kubeconfig: string;
  logs: string;
  certificates: string;
  kubeconfigs: string;
  config: string;
  /** Programs that `exec` puts on PATH. */
  bin: string;
  etcd: string;
  containerd: string;
  kubelet: string;
  podLogs: string;
  /** What the instance sees as /var/log. */
  machineLogs: string;
  cni: string;
  volumes: string;
  /** cgroup below which every pod runs, as kubelet names it (without the hierarchy's mount point). */
  cgroup: string;
}

export function layoutOf(name: string, state: string = stateDir()): Layout {
  const root = join(state, name);
  const at = (folder: string) => join(root, folder);
  return {
    root,
    plan: at("plan.json"),
    record: at("instance.json"),
    status: at("status.json"),
    kubeconfig: at("kubeconfig"),
    logs: at("logs"),
    certificates: at("certificates"),
    kubeconfigs: at("kubeconfigs"),
    config: at("config"),
    bin: at("bin"),
    etcd: at("etcd"),
    containerd: at("containerd"),
    kubelet: at("kubelet"),
    podLogs: at("pod-logs"),
    machineLogs: at("var-log"),
    cni: at("cni"),
    volumes: at("volumes"),
    cgroup: `/drawbridge-lab-${name}`,
  };
}

/** The containerd socket as seen inside the instance, where /run is a file system of its own. */
export const containerdSocket = "/run/containerd/containerd.sock";
