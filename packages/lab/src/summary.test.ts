import { expect, test } from "vitest";
import { statusText, summary } from "./summary.ts";

const versions = {
  "kube-apiserver": "v1",
  etcd: "v2",
  containerd: "v3",
  runc: "v4",
  coredns: "v5",
  "pilot-discovery": "v6",
  envoy: "v7",
  pulumi: "v8",
  "previous-kube-apiserver": "v0",
};
const lab = {
  name: "dev",
  kubeconfig: "/k",
  started: true,
  previous: false,
  seconds: 12.34,
  steps: [{ name: "etcd", began: 0.02, ended: 0.61 }],
};

test("what `up` says at its end", () => {
  expect(summary(lab, versions)).toBe(`lab "dev" was ready after 12.3 s
  etcd: 0.0 s to 0.6 s
versions: kube-apiserver v1, etcd v2, containerd v3, runc v4, coredns v5, pilot-discovery v6, envoy v7, pulumi v8
next: drawbridge-lab exec --name dev -- kubectl get pods -A`);
  expect(summary({ ...lab, previous: true }, versions)).toContain("versions: kube-apiserver v0, etcd v2,");
  expect(summary({ ...lab, name: "default", started: false }, versions).split("\n")).toEqual([
    'lab "default" is running already',
    "  etcd: 0.0 s to 0.6 s",
    expect.stringMatching(/^versions: /),
    "next: drawbridge-lab exec -- kubectl get pods -A",
  ]);
});

test("what `status` says", () => {
  expect(statusText({ name: "dev", phase: "absent" })).toBe('lab "dev" is absent');
  expect(
    statusText({
      name: "dev",
      phase: "failed",
      error: "etcd: not ready within 120 s",
      kubeconfig: "/k",
      steps: [],
      nodes: [],
      programs: [
        { name: "etcd", pid: undefined, restarts: 3, lastEnd: "exit code 1" },
        { name: "containerd", pid: 7, restarts: 0 },
      ],
    }),
  ).toBe(`lab "dev" failed: etcd: not ready within 120 s
  etcd: down, 3 restarts, last end: exit code 1
  containerd: running, 0 restarts
kubeconfig: /k`);
});

test("what `status` says of further nodes", () => {
  const programs = [{ name: "kubelet", pid: 7, restarts: 1, lastEnd: "SIGKILL" }];
  const nodes = [
    { name: "lab-node-2", state: "frozen" as const, programs },
    { name: "lab-node-3", state: "stopped" as const, programs: [] },
  ];
  const status = { name: "dev", phase: "ready" as const, kubeconfig: "/k", steps: [], programs: [], nodes };
  expect(statusText(status)).toBe(`lab "dev" is ready
  lab-node-2 is frozen
    kubelet: running, 1 restarts, last end: SIGKILL
  lab-node-3 is stopped
kubeconfig: /k`);
});
