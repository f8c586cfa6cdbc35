/**
 * Every attack on the API server's walls, on a real API server with the real policies, by people with exactly the
 * rights that it takes. The same attacks against the running gateway: test/lab/attacks.test.ts.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { wallBinding, wallPolicy } from "../../packages/manifests/src/index.ts";
import { type ApiServer, startApiServer } from "../support/api-server.ts";
import type { ApiUser } from "../support/attacks/api-user.ts";
import type { Who } from "../support/attacks/attack.ts";
import { deeds } from "../support/attacks/deeds.ts";
import { addIstioKinds, install, userOf, wallsStand } from "../support/attacks/server.ts";
import { accountObjects, everybody, placeOf, planOf, stage, wallsOf } from "../support/attacks/stage.ts";

const place = placeOf("one");
let api: ApiServer;
let users: Readonly<Record<Who, ApiUser>>;

beforeAll(async () => {
  api = await startApiServer();
  await addIstioKinds(api);
  await install(api, accountObjects);
  await install(api, stage(place));
  const plan = planOf(place);
  await install(
    api,
    wallsOf(place).flatMap((wall) => [wallPolicy(plan, wall), wallBinding(plan, wall)]),
  );
  await wallsStand(api);
  const all = await Promise.all(everybody.map(async (who) => [who, await userOf(api, who)] as const));
  users = Object.fromEntries(all) as Record<Who, ApiUser>;
});

afterAll(async () => {
  for (const user of Object.values(users ?? {})) user.close();
  await api?.stop();
});

describe("an attack is refused in the policy's words, and its twin is taken", () => {
  it.each(deeds.map((deed) => [deed.name, deed] as const))("%s", async (_name, deed) => {
    const user = users[deed.who];
    expect(await deed.twin(user, place)).toMatchObject({ message: "" });
    const answer = await deed.attempt(user, place);
    expect(answer.message).toMatch(deed.refusal);
    expect(answer.message).toMatch(
      new RegExp(`drawbridge-one-gate-gate${deed.wall === "" ? "" : `-${deed.wall}`}' with binding`),
    );
    expect([403, 422]).toContain(answer.status);
  });
});
