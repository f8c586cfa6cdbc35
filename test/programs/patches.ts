/** What has no argument: the company's search domain, and a label for the backup of the home. */
import { DevContainer } from "@drawbridge-iac/drawbridge";
import { base } from "./base.ts";

export default function program() {
  new DevContainer("dev1", {
    ...base(),
    patches: {
      workload: { spec: { template: { spec: { dnsConfig: { searches: ["corp.example.com"] } } } } },
      home: { metadata: { labels: { "backup.example.com/plan": "nightly" } } },
    },
  });
}
