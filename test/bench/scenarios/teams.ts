/** Stacks of many teams that are brought up at once: how long all of them take, and what the API server has to do. */
import { fewAtOnce } from "../../../packages/cli/src/list/few-at-once.ts";
import { withCleanup } from "../cleanup.ts";
import { ours, type Rival, raw, Workplace, writtenOnce } from "../preview/workplace.ts";
import type { Samples, Scenario } from "../scenario.ts";
import { KubeApi } from "../support/api.ts";
import { metricsOf } from "../support/metrics.ts";
import { Recorder } from "../support/samples.ts";
import { teamSize } from "../support/teams.ts";

/** As many as one runner of a CI works on at once. */
const atOnce = 4;
const teams = 4;
const allTeams = 20;

/** Brings every stack up, `atOnce` at a time; the seconds that all of them took, and the slowest. */
async function upAll(workplace: Workplace, rival: Rival, count: number) {
  const began = performance.now();
  const ups = await fewAtOnce(atOnce, [...Array(count).keys()], (team) =>
    workplace.measure(rival, {
      count: teamSize,
      first: team * teamSize,
      operation: "up",
      state: `${rival.name}-team-${team}`,
      env: writtenOnce,
    }),
  );
  const all = (performance.now() - began) / 1000;
  return { all, slowest: Math.max(...ups.map(({ wall }) => wall)) };
}

async function run(progress: (line: string) => void, full: boolean): Promise<Samples> {
  const count = full ? allTeams : teams;
  return withCleanup(async (later) => {
    const workplace = await Workplace.prepare(later);
    const api = await KubeApi.start(later);
    const recorder = new Recorder();
    for (const rival of [ours, raw]) {
      await workplace.clear();
      const figure = (name: string) => `${name}_${count}`;
      const load = async () => metricsOf(await api.get("/metrics"), "the API server");
      const before = await load();
      const { all, slowest } = await upAll(workplace, rival, count);
      const after = await load();
      const grown = (name: string) => after(name) - before(name);
      recorder.add(rival.name, figure("all"), all);
      recorder.add(rival.name, figure("slowest"), slowest);
      recorder.add(rival.name, figure("apiserver_cpu"), grown("process_cpu_seconds_total"));
      recorder.add(rival.name, figure("requests"), grown("apiserver_request_total"));
      progress(`${rival.name}: ${count} stacks of ${teamSize} in ${all.toFixed(0)} s`);
    }
    return recorder.samples;
  });
}

export const sideBySide: Scenario = {
  name: "teams",
  title: `${teams} stacks of ${teamSize} containers (--full: ${allTeams}), ${atOnce} at a time: until all are up, and the API server's processor time and requests`,
  run: (progress) => run(progress, false),
  runFull: (progress) => run(progress, true),
};
