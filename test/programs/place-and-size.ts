/** On nodes of one kind, spread over zones, with more memory than is set aside. */
import { DevContainer } from "@drawbridge-iac/drawbridge";
import { base } from "./base.ts";

export default function program() {
  new DevContainer("dev1", {
    ...base(),
    resources: { requests: { cpu: "500m", memory: "4Gi" }, limits: { memory: "8Gi" } },
    scheduling: {
      nodeSelector: { "example.com/pool": "dev" },
      tolerations: [{ key: "example.com/dev", operator: "Exists", effect: "NoSchedule" }],
      topologySpreadConstraints: [{ topologyKey: "topology.kubernetes.io/zone" }],
    },
  });
}
