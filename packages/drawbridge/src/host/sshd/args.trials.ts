import { below, type Trials } from "../../kit/trials.fixture.ts";
import { alice, bob, containerBase } from "../base.trials.ts";
import { deriveHostKey } from "../keys/host-key.ts";
import type { hostKeySchema, userCaSchema } from "./args.ts";

const ofSeed = (identity: string) => deriveHostKey("a-seed-of-another-key-0123456789abcdef", identity);
const { privateKey } = ofSeed("other");
const userCa = { ssh: { userCa: { keys: [bob] } } };
const rotation = { hostKey: { next: { generation: 2, ...containerBase.hostKey } } };

/**
 * Of who may log in, and of the host's identity.
 * @param identity one that no other host of the test has
 */
export const loginTrials = (identity: string) => ({
  "ssh.sessionsValidFrom": { value: "2026-11-24T09:30:00Z" },
  authorizedKeys: { value: [alice, bob] },
  ...below("ssh.userCa", {
    keys: { from: userCa, value: [alice], verdict: "foreign-ca harmless loses" },
    principals: { from: userCa, value: ["team-a"] },
  } satisfies Trials<typeof userCaSchema>),
  ...below("hostKey", {
    seed: { value: "another-seed-0123456789abcdef0123456789abcdef", verdict: "host-key-lost restarts" },
    privateKey: { to: { hostKey: { seed: undefined, privateKey } }, verdict: "host-key-lost restarts" },
    generation: { value: 2, verdict: "host-key-lost restarts" },
    identity: { value: identity, verdict: "host-key-lost secret-taken restarts" },
    "next.seed": { to: rotation },
    "next.privateKey": { value: ofSeed("next").privateKey },
    "next.generation": { from: rotation, value: 3 },
  } satisfies Trials<typeof hostKeySchema>),
});

/** Of what bounds connections that are not logged in. */
export const sshTimingTrials = below("ssh", {
  loginGraceSeconds: { value: 60 },
  maxStartups: { value: 300 },
});
