/**
 * Each part of each policy is needed: without it, on a real API server, an attack gets in that was refused, or a twin is
 * refused that was taken. Mutants stand side by side, each in namespaces of its own.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ApiServer, startApiServer } from "../../scripts/lib/engine/api-server.ts";
import { accepted } from "../support/attacks/accepted.ts";
import { apiAttacks, attacksOn, olderAttacks, onRequest } from "../support/attacks/api-attacks.ts";
import type { ApiUser } from "../support/attacks/api-user.ts";
import type { Place, Who } from "../support/attacks/attack.ts";
import { addIstioKinds, install, policiesStand, usersOf } from "../support/attacks/server.ts";
import {
  accountObjects,
  admissionObjects,
  older,
  placeOf,
  policiesOf,
  type Standing,
  stage,
} from "../support/attacks/stage.ts";
import { type Mutant, mutantsOf } from "./policy-mutants.fixture.ts";

/** Mutants that stand at once, each in namespaces of its own. */
const batchSize = 25;
const label = "mutant";
const places = Array.from({ length: batchSize }, (_, slot) => placeOf(`m${slot}`));

const all = [...apiAttacks, ...olderAttacks];

let api: ApiServer;
let users: Readonly<Record<Who, ApiUser>>;

beforeAll(async () => {
  api = await startApiServer();
  await addIstioKinds(api);
  await install(api, accountObjects);
  for (const [slot, place] of places.entries()) {
    await install(api, [...stage(place, { [label]: `${slot}` }), ...older(place)]);
  }
  users = await usersOf(api);
});

afterAll(async () => {
  for (const user of Object.values(users ?? {})) user.close();
  await api?.stop();
});

/** What differs with this mutant from what the policy does; undefined for a survivor. */
async function noticed({ policy }: Standing, place: Place): Promise<string | undefined> {
  const against = attacksOn(all, policy.name);
  for (const { name, who, attempt } of against) {
    const { status } = await attempt(users[who], place);
    if (status < 300) return `gets in: ${name}`;
  }
  for (const { name, who, twin } of against) {
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
  const mutants = policiesOf(placeOf("count")).flatMap(({ policy }, index) =>
    onRequest.includes(policy.name) ? [] : mutantsOf(policy).map((_, number) => ({ index, number })),
  );
  const survivors: string[] = [];
  const report: string[] = [];
  for (let begin = 0; begin < mutants.length; begin += batchSize) {
    const batch = mutants.slice(begin, begin + batchSize).map(({ index, number }, slot) => {
      const place = places[slot] as Place;
      const whole = policiesOf(place)[index] as Standing;
      const { name, policy } = mutantsOf(whole.policy)[number] as Mutant;
      // A policy of its own for each, which judges the namespaces of its slot alone.
      const owner = { ...whole.owner, path: [`mutant-${begin + slot}`] };
      return { place, name, standing: { ...whole, owner, policy }, slot };
    });
    const objects = batch.flatMap(({ standing, slot }) => admissionObjects(standing, { [label]: `${slot}` }));
    await install(api, objects);
    await policiesStand(api);
    for (const { name, standing, place } of batch) {
      const how = await noticed(standing, place);
      report.push(`${name} | ${how ?? "SURVIVES"}`);
      if (how === undefined) survivors.push(name.replaceAll(/\bm\d+-/g, ""));
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
}, 1_800_000);
