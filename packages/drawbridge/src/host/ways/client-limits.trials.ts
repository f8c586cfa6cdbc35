import { below, type Trial, type Trials } from "../../kit/trials.fixture.ts";
import type { clientLimitsSchema } from "./client-limits.ts";

/** Of each limit of what comes from one client, all alike. */
export const clientLimitsTrials = (trial: Trial) =>
  below("connectionLimits", {
    "perClient.connectionsPerMinute": trial,
    "perClient.burst": trial,
    "perClientAndContainer.connectionsPerMinute": trial,
    "perClientAndContainer.burst": trial,
  } satisfies Trials<typeof clientLimitsSchema>);
