/** The tables of docs/plan.md. */
import { replaceBetween } from "../../support/pages/marked-text.ts";
import { formatFigure } from "../report/format.ts";
import type { BenchDocument } from "../report/json.ts";
import { type Figures, figuresFor, type Line } from "./figures.ts";
import { type Demand, kubernetesLimits, type Plan, planFor } from "./plan.ts";

export const pageFile = "docs/plan.md";

export const demand: Demand = {
  teams: 1000,
  containersPerTeam: 50,
  people: 10_000,
  tunnelsPerPerson: 2,
  busyShare: 0.1,
  changesPerHour: 1000,
  routeSeconds: 0.5,
};

const count = (value: number) => value.toLocaleString("en");
const bytes = (value: number) => formatFigure("bytes", value);
const time = (seconds: number) => {
  if (seconds >= 600) return `${Number((seconds / 60).toPrecision(2))} min`;
  // Less than a millisecond would be rounded to nothing that can be reckoned with.
  return seconds < 0.001 ? `${Number((seconds * 1e6).toPrecision(3))} µs` : formatFigure("time", seconds);
};
const line = ({ base, each }: Line) => `${time(base)} + ${time(each)} each`;
const percent = (share: number) => `${Number((share * 100).toPrecision(2))} %`;
const cores = (value: number) => `${Number(value.toPrecision(2))} cores`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

function inputs(figures: Figures): string {
  const limits = kubernetesLimits;
  const kubernetes = "Kubernetes' thresholds";
  return table(
    ["input", "", "from"],
    [
      ["Services of a cluster", count(limits.services), kubernetes],
      [
        "namespaces, pods, nodes",
        [limits.namespaces, limits.pods, limits.nodes].map(count).join(", "),
        kubernetes,
      ],
      ["pods of a node", count(limits.podsPerNode), kubernetes],
      ["etcd", bytes(limits.storedBytes), "its documentation, suggested maximum"],
      ["a route more, by the gateway's routes", line(figures.routeSeconds), "`reach`, 1000 and 5000"],
      [
        "istiod's processor time for it, with one proxy",
        line(figures.istiodSeconds),
        "`reach`, 1000 and 5000",
      ],
      ["bytes to each proxy for it", `${bytes(figures.routeBytes)} for each route`, "`reach`, 5000"],
      [
        "heap of a proxy without tunnels",
        `${bytes(figures.heapBytes.base)} + ${bytes(figures.heapBytes.each)} for each route`,
        "`reach`, 1000 and 5000",
      ],
      ["heap of a tunnel", bytes(figures.tunnelBytes), "`weight`, 5000"],
      [
        "processor time of a busy tunnel",
        `${time(figures.busySeconds)} a second`,
        "`crowd`, 100 with 40 kB/s each way",
      ],
      ["API objects of a container", count(figures.storedObjects), "`cluster`; 9 are declared"],
      ["their bytes in storage", bytes(figures.storedBytes), "`cluster`"],
      ["what storage grew by", `${bytes(figures.storageBytes)} a container`, "`cluster`, 1000 just made"],
      [
        "API server's memory of a container",
        bytes(figures.apiServerBytes),
        "`cluster`, 1000 just made; garbage among it",
      ],
      ["istiod's memory of a container", bytes(figures.istiodBytes), "`cluster`, 1000"],
      [
        "from objects to a node, side by side",
        `${time(figures.scheduleSeconds)} a container`,
        "`cluster`, 1000",
      ],
      ["preview of a stack", line(figures.previewSeconds), "`preview`, 10 and 100"],
      ["`pulumi up` of a new stack", line(figures.upSeconds), "`preview`, 1 and 100"],
    ],
  );
}

function needs(wanted: Demand, plan: Plan): string {
  const { own } = plan;
  const limits = kubernetesLimits;
  const rows: readonly (readonly [string, string, string])[] = [
    [
      "clusters",
      count(plan.clusters),
      `${count(wanted.teams)} × ${wanted.containersPerTeam} = ${count(plan.containers)} containers, a Service each; ${count(limits.services)} a cluster`,
    ],
    ["**of each cluster**", "", ""],
    ["containers, teams, people", [own.containers, own.teams, own.people].map(count).join(", "), "its share"],
    [
      "nodes, at least",
      count(plan.nodes),
      `${count(own.containers)} pods / ${limits.podsPerNode}; what runs in them decides`,
    ],
    [
      "gateways",
      `${plan.gateways}, ${plan.proxies} proxies`,
      `a route more within ${time(wanted.routeSeconds)}: ${count(plan.routesPerGateway)} routes each take ${time(plan.routeSeconds)}; two proxies, so that one may be gone`,
    ],
    [
      "memory of a proxy",
      bytes(plan.heapBytes + plan.tunnelBytes),
      `${bytes(plan.heapBytes)} for ${count(plan.routesPerGateway)} routes; ${bytes(plan.tunnelBytes)} for ${count(own.people)} people × ${wanted.tunnelsPerPerson} / ${plan.gateways} = ${count(plan.tunnels)} tunnels, all of its gateway's`,
    ],
    [
      "processor of a proxy",
      cores(plan.busyCores),
      `${percent(wanted.busyShare)} of ${count(plan.tunnels)} tunnels busy; the whole machine's bulk is not in it`,
    ],
    [
      "istiod's pushes",
      `${bytes(plan.pushBytes)} a change`,
      `${count(plan.routesPerGateway)} routes to two proxies`,
    ],
    [
      "istiod's processor",
      cores(plan.istiodCores),
      `${count(wanted.changesPerHour)} changes an hour / ${plan.clusters} clusters`,
    ],
    ["istiod's memory", bytes(plan.istiodBytes), `${count(own.containers)} containers; beside its own`],
    ["API objects", count(plan.objects), `${count(own.containers)} containers`],
    [
      "etcd",
      `${bytes(plan.storedBytes)} (${percent(plan.storedBytes / limits.storedBytes)})`,
      `${bytes(plan.storageBytes)} when all were made within minutes: then it has their earlier states too`,
    ],
    [
      "API server's memory",
      bytes(plan.apiServerBytes),
      `${count(own.containers)} containers; beside its own`,
    ],
    ["all pods anew", time(plan.scheduleSeconds), "until each has a node, as after a lost cluster"],
    ["**of all together**", "", ""],
    [
      "stacks",
      count(wanted.teams),
      `one a team: preview ${time(plan.previewSeconds)} and ${bytes(plan.previewBytes)}, \`pulumi up\` ${time(plan.upSeconds)}`,
    ],
    [
      "runners",
      count(plan.runners),
      `every stack previewed and brought up within an hour: ${count(wanted.teams)} × ${time(plan.previewSeconds + plan.upSeconds)}`,
    ],
  ];
  return table(["", "", "because"], rows);
}

/** The page with its tables from the bench's document. */
export function planPage(text: string, document: BenchDocument): string {
  const figures = figuresFor(document);
  return replaceBetween(
    replaceBetween(text, "inputs", inputs(figures)),
    "needs",
    needs(demand, planFor(demand, figures)),
  );
}
