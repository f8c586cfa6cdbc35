/** How fast, and at what cost, one more container is reached where N are there already. */

import type { Samples, Scenario } from "../../../scripts/lib/bench-report/scenario.ts";
import { drainSeconds } from "../../support/lab/cluster.ts";
import { withCleanup } from "../cleanup.ts";
import {
  changes,
  containerAt,
  containers,
  fullSize,
  held,
  makeTeams,
  sizes,
  team,
} from "../reach/containers.ts";
import { quietCosts } from "../reach/costs.ts";
import {
  type Addresses,
  clearRoutes,
  domain,
  filterGateway,
  ourGateway,
  type RouteDesign,
  routeDesigns,
  routeOf,
} from "../reach/designs.ts";
import {
  balancerPerContainer,
  loadBalancers,
  portPerContainer,
  type RejectedDesign,
} from "../reach/rejected.ts";
import { KubeApi } from "../support/api.ts";
import { benchGateway } from "../support/gateway.ts";
import { startIngress } from "../support/ingress.ts";
import { Recorder, wait } from "../support/samples.ts";
import { sinkService, startSink } from "../support/sink.ts";
import { benchStack } from "../support/stack.ts";
import { IdleTunnels, type TunnelDoor, untilAccepted } from "../support/tunnels.ts";

const edge = "bench-reach-edge";

async function run(progress: (line: string) => void, full: boolean): Promise<Samples> {
  return withCleanup(async (later) => {
    const api = await KubeApi.start(later);
    await startSink(team, later);
    await makeTeams(later);
    const edgeAddress = await startIngress(edge, "web.example.com", later);
    const { stack } = await benchStack(later, async () => {
      const ours = benchGateway(ourGateway, domain);
      const bare = { admissionPolicy: false, audit: false };
      const other = benchGateway(filterGateway, "filters.example.com", bare);
      return { [ourGateway]: ours.address, [filterGateway]: other.address };
    });
    const { outputs } = await stack.up();
    const addresses = Object.fromEntries(
      [ourGateway, filterGateway].map((name) => [name, String(outputs[name]?.value)]),
    );
    const recorder = new Recorder();
    let services = 0;
    for (const size of full ? [fullSize] : sizes) {
      // The containers that are added during the measurement have their Services from the start.
      await api.createAll(
        containers(services, size + changes).map(({ namespace, name }) => sinkService(namespace, name)),
      );
      services = size + changes;
      for (const design of routeDesigns) {
        if (full && design.rival === "seed") continue;
        await api.createAll(containers(0, size).map((container) => routeOf(design, container)));
        // Istio works off thousands of new Services and routes for minutes.
        await untilAccepted(design.door(containerAt(size - 1), addresses), performance.now(), 600);
        await measure(api, design, size, addresses, recorder);
        await clearRoutes(api, design);
        await quietCosts(api, design.gateway);
        progress(`${design.rival} with ${size} containers`);
      }
    }
    const rejected = full ? [] : [portPerContainer(api, edge, edgeAddress), balancerPerContainer(api)];
    for (const design of rejected) {
      await measureRejected(api, design, recorder);
      progress(design.rival);
    }
    return recorder.samples;
  });
}

/** Adds containers one by one, with sessions held on others meanwhile in the smallest size. */
async function measure(
  api: KubeApi,
  design: RouteDesign,
  size: number,
  addresses: Addresses,
  recorder: Recorder,
): Promise<void> {
  const figure = (name: string) => `${name}_${size}`;
  let before = await quietCosts(api, design.gateway);
  const sessions =
    size === held
      ? await IdleTunnels.open((index) => design.door(containerAt(index), addresses), held)
      : undefined;
  try {
    for (const container of containers(size, size + changes)) {
      const began = performance.now();
      await api.create(routeOf(design, container));
      recorder.add(
        design.rival,
        figure("accepted"),
        await untilAccepted(design.door(container, addresses), began),
      );
      const after = await quietCosts(api, design.gateway);
      recorder.add(design.rival, figure("bytes"), after.bytes - before.bytes);
      recorder.add(design.rival, figure("istiod_cpu"), after.cpu - before.cpu);
      recorder.add(design.rival, figure("istiod_waited"), after.waited - before.waited);
      recorder.add(design.rival, figure("istiod_wrote"), after.wrote - before.wrote);
      before = after;
    }
    recorder.add(design.rival, figure("istiod_memory"), before.memory.istiod);
    recorder.add(design.rival, figure("gateway_heap"), before.memory.gateway);
    if (sessions === undefined) return;
    await wait(drainSeconds + 2);
    recorder.add(design.rival, "lost", sessions.lost);
    await addDoors(api, design.rival, design.gateway, recorder);
  } finally {
    sessions?.close();
  }
}

/** What is open to the outside, as the LoadBalancers of a namespace are. */
async function addDoors(api: KubeApi, rival: string, namespace: string, recorder: Recorder): Promise<void> {
  const balancers = await loadBalancers(api, namespace);
  recorder.add(rival, "ports", balancers.flat().length);
  recorder.add(rival, "load_balancers", balancers.length);
}

/** The same number of containers and changes in a design that has no names. */
async function measureRejected(api: KubeApi, design: RejectedDesign, recorder: Recorder): Promise<void> {
  const doors: TunnelDoor[] = [];
  for (let index = 0; index < held; index++) doors.push(await design.add(index));
  for (const door of doors) await untilAccepted(door, performance.now());
  const sessions = await IdleTunnels.open((index) => doors[index] as TunnelDoor, held);
  try {
    for (let index = held; index < held + changes; index++) {
      const began = performance.now();
      const door = await design.add(index);
      recorder.add(design.rival, `accepted_${held}`, await untilAccepted(door, began));
    }
    await addDoors(api, design.rival, design.namespace, recorder);
    for (let index = held; index < held + changes; index++) await design.remove(index);
    await wait(design.drainSeconds + 2);
    recorder.add(design.rival, "lost", sessions.lost);
  } finally {
    sessions.close();
  }
}

export const reach: Scenario = {
  name: "reach",
  title: `one more container where ${sizes.join(", ")} are (--full: ${fullSize}): seconds until its first CONNECT is accepted, bytes pushed to the gateway, istiod's processor time`,
  run: (progress) => run(progress, false),
  runFull: (progress) => run(progress, true),
};
