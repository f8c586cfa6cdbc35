import { expect, test } from "vitest";
import { layoutOf } from "../layout.ts";
import { planNodes, stepSeconds } from "./plan.ts";
import { cards, endOfWire, outsideEnd, wireTo } from "./wires.ts";

const layout = layoutOf("unit", "/state");

test("the first node is the instance's own, further ones have folders and a cgroup below it", () => {
  const [first, second, third] = planNodes(layout, 3);
  expect(first).toEqual({
    name: "lab-node",
    address: "10.201.0.1",
    pods: "10.244.0.0/24",
    kubelet: "kubelet",
    layout,
  });
  expect(third).toMatchObject({
    name: "lab-node-3",
    address: "10.201.0.3",
    pods: "10.244.2.0/24",
    kubelet: "kubelet-lab-node-3",
  });
  expect(second?.layout).toEqual({
    record: "/state/unit/lab-node-2/node.json",
    status: "/state/unit/lab-node-2/status.json",
    logs: "/state/unit/lab-node-2/logs",
    config: "/state/unit/lab-node-2/config",
    containerd: "/state/unit/lab-node-2/containerd",
    kubelet: "/state/unit/lab-node-2/kubelet",
    podLogs: "/state/unit/lab-node-2/pod-logs",
    machineLogs: "/state/unit/lab-node-2/var-log",
    cni: "/state/unit/lab-node-2/cni",
    volumes: "/state/unit/lab-node-2/volumes",
    cgroup: "/drawbridge-lab-unit/lab-node-2",
  });
});

test("no two nodes share a name, an address, pods, a user or a place", () => {
  const nodes = planNodes(layout, 9);
  for (const field of ["name", "address", "pods", "kubelet"] as const) {
    expect(new Set(nodes.map((node) => node[field])).size).toBe(9);
  }
  const places = nodes.flatMap((node) => [node.layout.record, node.layout.containerd, node.layout.cgroup]);
  expect(new Set(places).size).toBe(27);
});

test("a machine comes after the nodes that are counted, and waits longer for each step", () => {
  const nodes = planNodes(layout, 2, true);
  expect(nodes.map(({ name, machine, pods }) => [name, machine, pods])).toEqual([
    ["lab-node", undefined, "10.244.0.0/24"],
    ["lab-node-2", undefined, "10.244.1.0/24"],
    ["lab-node-3", true, "10.244.2.0/24"],
  ]);
  expect(nodes.map(stepSeconds)).toEqual([120, 120, 1200]);
});

test.each([0, 10, -1, 1.5, Number.NaN])("fails for %s nodes", (count) => {
  expect(() => planNodes(layout, count)).toThrow(
    `a lab cannot have ${count} nodes; use a whole number from 1 to 9`,
  );
});

test("each end of a wire knows the other node and its pods", () => {
  const [first, , third] = planNodes(layout, 3);
  if (first === undefined || third === undefined) throw new Error("there are three");
  expect(endOfWire(first, third)).toEqual([
    "link set to-node-3 up",
    "route add 10.201.0.3/32 dev to-node-3 src 10.201.0.1",
    "route add 10.244.2.0/24 via 10.201.0.3 dev to-node-3 onlink src 10.201.0.1",
  ]);
  expect(endOfWire(third, first)).toEqual([
    "link set to-node up",
    "route add 10.201.0.1/32 dev to-node src 10.201.0.3",
    "route add 10.244.0.0/24 via 10.201.0.1 dev to-node onlink src 10.201.0.3",
  ]);
});

test("a card of a machine has the other node's name, outside and on its bridge", () => {
  const [first, machine] = planNodes(layout, 1, true);
  if (first === undefined || machine === undefined) throw new Error("there are two");
  expect(outsideEnd(machine, first)).toEqual(["link set to-node master card-node up"]);
  expect(outsideEnd(first, machine)).toEqual(endOfWire(first, machine));
  expect(cards(first, [first, machine])).toEqual([]);
  expect(cards(machine, [first, machine])).toEqual([
    "link set eth0 name to-node",
    "link set to-node up",
    "route add 10.201.0.1/32 dev to-node src 10.201.0.2",
    "route add 10.244.0.0/24 via 10.201.0.1 dev to-node onlink src 10.201.0.2",
  ]);
});

test("a link's name is one that Linux takes", () => {
  expect(planNodes(layout, 9).map((node) => wireTo(node).length)).toEqual([7, 9, 9, 9, 9, 9, 9, 9, 9]);
});
