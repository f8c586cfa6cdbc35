/**
 * Each part of each policy is needed: without it, on a real API server, an attack gets in that was refused, or a twin is
 * refused that was taken. Mutants stand side by side, each in namespaces of its own.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Wall, wallBinding, wallPolicy } from "../../packages/manifests/src/index.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import { accepted } from "../support/attacks/accepted.ts";
import type { ApiUser } from "../support/attacks/api-user.ts";
import type { Place, Who } from "../support/attacks/attack.ts";
import { deeds, olderDeeds } from "../support/attacks/deeds.ts";
import { type Mutant, mutantsOf } from "../support/attacks/mutants.ts";
import { addIstioKinds, install, userOf, wallsStand } from "../support/attacks/server.ts";
import {
  accountObjects,
  everybody,
  older,
  placeOf,
  planOf,
  stage,
  wallsOf,
} from "../support/attacks/stage.ts";

const SLOTS = 25;
const label = "mutant";
const places = Array.from({ length: SLOTS }, (_, slot) => placeOf(`m${slot}`));

const all = [...deeds, ...olderDeeds];

let api: ApiServer;
let users: Readonly<Record<Who, ApiUser>>;

beforeAll(async () => {
  api = await startApiServer();
  await addIstioKinds(api);
  await install(api, accountObjects);
  for (const [slot, place] of places.entries()) {
    await install(api, [...stage(place, { [label]: `${slot}` }), ...older(place)]);
  }
  const all = await Promise.all(everybody.map(async (who) => [who, await userOf(api, who)] as const));
  users = Object.fromEntries(all) as Record<Who, ApiUser>;
});

afterAll(async () => {
  for (const user of Object.values(users ?? {})) user.close();
  await api?.stop();
});

/** The mutant as a policy that judges only the namespaces of its slot. */
function objectsOf(wall: Wall, slot: number, number: number): object[] {
  const owner = { ...planOf(places[slot] as Place), name: `mutant-${number}` };
  const policy = wallPolicy(owner, wall) as unknown as {
    spec: { matchConstraints: { namespaceSelector?: object } };
  };
  const constraints = policy.spec.matchConstraints;
  constraints.namespaceSelector = { ...constraints.namespaceSelector, matchLabels: { [label]: `${slot}` } };
  return [policy, wallBinding(owner, wall)];
}

/** What differs with this mutant from what the wall does; undefined for a survivor. */
async function noticed(wall: Wall, place: Place): Promise<string | undefined> {
  for (const { name, who, attempt } of all.filter((deed) => deed.wall === wall.name)) {
    const { status } = await attempt(users[who], place);
    if (status < 300) return `gets in: ${name}`;
  }
  for (const { name, who, twin } of all.filter((deed) => deed.wall === wall.name)) {
    const { status } = await twin(users[who], place);
    if (status >= 300) return `is refused: the twin of ${name}`;
  }
  for (const { name, who, act } of accepted) {
    const { status } = await act(users[who], place);
    if (status >= 300) return `is refused: ${name}`;
  }
  return undefined;
}

it("each part of each policy, taken away, is noticed by an attack or a twin", async () => {
  const mutants = wallsOf(placeOf("count")).flatMap((wall, index) =>
    mutantsOf(wall).map((mutant, number) => ({ index, number, name: mutant.name })),
  );
  const survivors: string[] = [];
  const report: string[] = [];
  for (let begin = 0; begin < mutants.length; begin += SLOTS) {
    const batch = mutants.slice(begin, begin + SLOTS).map(({ index, number }, slot) => {
      const wall = wallsOf(places[slot] as Place)[index] as Wall;
      return { slot, mutant: mutantsOf(wall)[number] as Mutant, number: begin + slot };
    });
    const objects = batch.flatMap(({ slot, mutant, number }) => objectsOf(mutant.wall, slot, number));
    await install(api, objects);
    await wallsStand(api);
    for (const { slot, mutant } of batch) {
      const how = await noticed(mutant.wall, places[slot] as Place);
      report.push(`${mutant.name} | ${how ?? "SURVIVES"}`);
      if (how === undefined) survivors.push(mutant.name.replaceAll(/\bm\d+-/g, ""));
    }
    const items = objects as { metadata: { name: string }; kind: string }[];
    for (const kind of ["validatingadmissionpolicybinding", "validatingadmissionpolicy"]) {
      const names = items.filter((one) => one.kind.toLowerCase() === kind).map((one) => one.metadata.name);
      await api.kubectl(["delete", kind, ...names, "--wait=false"]);
    }
  }
  if (process.env.WALLS_REPORT !== undefined) console.log(report.join("\n"));
  expect(survivors).toEqual([]);
  expect(report.length).toBeGreaterThan(150);
}, 900_000);
