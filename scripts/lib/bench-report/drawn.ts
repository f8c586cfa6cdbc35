/** What is drawn of the bench, with the finding that each chart shows, in the words of a reader who knows no scenario. */
import { formatFigure, unitOf } from "./format.ts";

/** A rival's figure as people read it; empty where it was not measured. */
type Read = (rival: string) => string;

export interface Drawn {
  readonly scenario: string;
  readonly figure: string;
  /** What the chart says, with the figures of this run in it. */
  readonly finding: (read: Read) => string;
  /** Under which conditions. */
  readonly conditions: string;
  /** Our own ways; the others are what one would do without drawbridge. */
  readonly ours: readonly string[];
}

const laptop = "All on one machine of two cores";
const inTunnel = [
  "drawbridge",
  "gateway, nc",
  "gateway, proxytunnel",
  "gateway TLS, proxytunnel",
  "drawbridge proxy",
  "drawbridge listen",
  "frp",
];
const inPreview = ["drawbridge", "drawbridge with default limits"];

export const drawn: readonly Drawn[] = [
  {
    scenario: "survival",
    figure: "lost",
    finding: (read) =>
      `${read("drawbridge")} of 50 open sessions lost; a listener filter per container loses ${read("seed")}`,
    conditions: "50 sessions while ten updates change 100 other containers; both gateways drain for 45 s",
    ours: ["drawbridge"],
  },
  {
    scenario: "reach",
    figure: "accepted_1000",
    finding: (read) =>
      `A new container among 1000 is there after ${read("drawbridge")}, with listener filters ${read("seed")}`,
    conditions:
      "From the change until its first CONNECT is answered, with 1000 containers behind one gateway",
    ours: ["drawbridge"],
  },
  {
    scenario: "preview",
    figure: "preview_100_wall",
    finding: (read) =>
      `A preview of 100 containers takes ${read("drawbridge")}, the same objects by hand ${read("raw")}`,
    conditions:
      "With a cluster. Our stacks raise the provider's limit to 500 requests a second; its default is 50",
    ours: inPreview,
  },
  {
    scenario: "preview",
    figure: "offline_100_cpu",
    finding: (read) =>
      `A preview of 100 containers: ${read("drawbridge")} of processor time, by hand ${read("raw")}`,
    conditions: "Without a cluster, as in CI; program and engine, without the provider",
    ours: inPreview,
  },
  {
    scenario: "preview",
    figure: "offline_100_memory",
    finding: (read) => `A preview of 100 containers: ${read("drawbridge")} of memory, by hand ${read("raw")}`,
    conditions: "Without a cluster, as in CI; the peak of program and engine, without the provider",
    ours: inPreview,
  },
  {
    scenario: "tunnel",
    figure: "login",
    finding: (read) =>
      `A login takes ${read("drawbridge")} through the gateway, ${read("direct")} without one`,
    conditions: `From starting ssh to the end of one command. ${laptop}`,
    ours: inTunnel,
  },
  {
    scenario: "tunnel",
    figure: "echo_p99",
    finding: (read) =>
      `A keystroke echoes within ${read("drawbridge")}; by port-forward ${read("port-forward")}`,
    conditions: `99th percentile. ${laptop}`,
    ours: inTunnel,
  },
  {
    scenario: "tunnel",
    figure: "download_per_second",
    finding: (read) => `A download runs at ${read("drawbridge")}; by port-forward at ${read("port-forward")}`,
    conditions: `64 MiB from memory to memory, aes128-gcm, login included. ${laptop}`,
    ours: inTunnel,
  },
  {
    scenario: "tunnel",
    figure: "upload_per_second",
    finding: (read) => `An upload runs at ${read("drawbridge")}; by port-forward at ${read("port-forward")}`,
    conditions: `64 MiB from memory to memory, aes128-gcm, login included. ${laptop}`,
    ours: inTunnel,
  },
  {
    scenario: "weight",
    figure: "resident_per_tunnel_1000",
    finding: (read) =>
      `An idle session costs the gateway ${read("drawbridge")} of memory, frps ${read("frp")}`,
    conditions: "Resident memory of the proxy for each of 1000 idle sessions; both are ways of ours",
    ours: ["drawbridge", "frp"],
  },
  {
    scenario: "start",
    figure: "up_to_prompt",
    finding: (read) =>
      `From pulumi up to the first prompt: ${read("drawbridge")}; by kubectl ${read("kubectl")}`,
    conditions: "One container, its image on the node; injected: sshd comes into an image without one",
    ours: ["drawbridge", "injected"],
  },
  {
    scenario: "wake",
    figure: "login",
    finding: (read) =>
      `A login that wakes takes ${read("drawbridge")}; scaled by hand ${read("scaled")}; awake ${read("awake")}`,
    conditions: `Until ssh has run one command; the image is on the node. ${laptop}`,
    ours: ["drawbridge", "awake"],
  },
  {
    scenario: "storage",
    figure: "download_per_second",
    finding: (read) =>
      `A storage is downloaded at ${read("drawbridge")}; the bare disk reads ${read("disk")}`,
    conditions: `One large file through the storage proxy. ${laptop}`,
    ours: ["drawbridge"],
  },
];

/** What a reader wants of a figure. */
export const better = (figure: string) =>
  unitOf(figure) === "rate" ? "longer is better" : "shorter is better";

const labels: Readonly<Record<string, string>> = {
  seed: "a listener filter per container",
  "route filters": "a route filter per container",
  raw: "by hand",
  "raw with raised limits": "by hand, raised limits",
  "drawbridge with default limits": "drawbridge, default limits",
  shared: "one gateway for both",
  direct: "without a gateway",
  "port-forward": "kubectl port-forward",
  kubectl: "by kubectl",
  disk: "the disk alone",
  dufs: "a bare dufs",
  scaled: "scaled by hand",
  awake: "never slept",
};

/** A rival's name for readers. */
export const labelOf = (rival: string) => labels[rival] ?? rival;

/** Reads the figures of one scenario. */
export function reader(
  figures: Readonly<Record<string, Readonly<Record<string, number>>>>,
  figure: string,
): Read {
  return (rival) => {
    const value = figures[rival]?.[figure];
    return value === undefined ? "(not measured)" : formatFigure(figure, value);
  };
}
