import type { Plan } from "../plan.ts";
import { httpOk } from "../supervisor/probes.ts";
import type { Program } from "../supervisor/program.ts";

/** Only the API server talks to it, inside the instance's own network namespace: plain HTTP on loopback. */
export const etcdUrl = "http://127.0.0.1:2379";

export function etcd({ tools, layout }: Plan): Program {
  return {
    name: "etcd",
    after: [],
    command: tools.etcd,
    args: [
      `--data-dir=${layout.etcd}`,
      `--listen-client-urls=${etcdUrl}`,
      `--advertise-client-urls=${etcdUrl}`,
      "--listen-peer-urls=http://127.0.0.1:2380",
      "--log-level=warn",
      // What a lab writes need not survive a power cut, and waiting for the disk is half of its start.
      "--unsafe-no-fsync",
    ],
    ready: httpOk(`${etcdUrl}/readyz`),
  };
}
