/** Keys stand once, by person; the container names who may log in. */
import { DevContainer, keysOf, type People } from "@drawbridge-iac/drawbridge";
import { aliceKey, base } from "./base.ts";

const people: People = {
  alice: { keys: [aliceKey], groups: ["ml"] },
  // Left: nothing else has to change.
  bob: { keys: [], groups: ["ml"] },
};

export default function program() {
  new DevContainer("dev1", {
    ...base(),
    authorizedKeys: keysOf(people, { people: ["bob"], groups: ["ml"] }),
  });
}
