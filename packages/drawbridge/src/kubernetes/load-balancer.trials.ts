import type { Trial } from "../kit/trials.fixture.ts";
import { below, type Trials } from "../kit/trials.fixture.ts";
import type { loadBalancerSchema } from "./load-balancer.ts";

/** Of a LoadBalancer, whatever stands behind it; scope, ranges and families differ with what it had. */
export const loadBalancerTrials = (own: Readonly<Record<"scope" | "sourceRanges" | "ipFamilies", Trial>>) =>
  below("loadBalancer", {
    preset: { value: "aws-nlb" },
    annotations: { value: { team: "a" } },
    address: { value: "192.0.2.8" },
    className: { value: "other" },
    ...own,
  } satisfies Trials<typeof loadBalancerSchema>);
