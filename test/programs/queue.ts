/** Kueue admits the pod when its team's queue has room. */
import { DevContainer } from "@drawbridge-iac/drawbridge";
import { base } from "./base.ts";

export default function program() {
  new DevContainer("dev1", {
    ...base(),
    pod: {
      labels: { "kueue.x-k8s.io/queue-name": "team-a" },
      annotations: { "cost.example.com/center": "4711" },
    },
    wait: false,
  });
}
