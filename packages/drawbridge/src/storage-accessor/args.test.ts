import { describe, expect, it } from "vitest";
import { issuesOf } from "../kit/args-error.ts";
import { cases, whatIsWrong } from "../kit/faults.fixture.ts";
import { reading } from "../kit/zod-faults.ts";
import { storageAccessorSchema } from "./args-checks.ts";
import { credentials, jwt, planOf, proxy } from "./plan.fixture.ts";

function issues(args: object) {
  const { error } = storageAccessorSchema.safeParse(args, reading);
  return error === undefined ? [] : issuesOf(error);
}
const faults = (args: object) => issues(args).map((issue) => `${issue.path}: ${whatIsWrong(issue)}`);

describe("storage arguments", () => {
  it("need a namespace only", () => {
    expect(planOf()).toEqual(
      expect.objectContaining({
        names: {
          claim: "models-storage",
          prepare: "models-prepare-1",
          prepareEnv: "models-prepare-env",
          fileServer: "models-files",
          credentials: "models-credentials",
          tokenCheck: "models-token-check",
        },
        path: "/storage/team-a/models",
        colocationGroup: "models",
        size: "20Gi",
        accessMode: "ReadWriteOnce",
        owner: { uid: 1000, gid: 1000 },
        fileServer: undefined,
        wait: true,
      }),
    );
  });

  it.each(cases`
    {} → namespace: is missing
    { namespace: "a", name: "${"x".repeat(51)}" }
      → name: "${"x".repeat(51)}" is not usable as a storage's name
    { namespace: "a", browse: { proxy: ${proxy} } } → browse: has no credential, so every visitor would be refused
    { namespace: "a", accessMode: "ReadWriteOncePod", browse: { proxy: ${proxy}, credentials: ${credentials} } }
      → accessMode: ReadWriteOncePod admits a single pod, so browsing would keep every container from mounting the volume
    { namespace: "a", browse: { proxy: ${proxy}, credentials: ${[...credentials, { ...credentials[0], write: true }]} } }
      → browse.credentials[1].user: "alice" is in credentials[0] already
      → browse.credentials[1].write: has no effect: browse.actions holds neither upload nor delete
    { namespace: "a", claimName: "old", storageClassName: "fast" }
      → storageClassName: has no effect on the existing claim old
    { namespace: "a", prepare: { image: "b:1", command: ["cp"], copyFrom: { name: "x", namespace: "b", claimName: "x-storage" } } }
      → prepare: has both copyFrom and a command
      → prepare.copyFrom.namespace: is "b", but a pod can mount volumes of its own namespace only
    { namespace: "a", prepare: { image: "busybox", activeDeadlineSeconds: 0 } }
      → prepare.activeDeadlineSeconds: 0 is out of range
      → prepare.image: "busybox" is not a pinned image
    { namespace: "a", browse: { proxy: ${proxy}, jwt: ${{ ...jwt, jwks: "{}" }} } }
      → browse.jwt.jwks: is not a JSON Web Key Set
    { namespace: "a", browse: { proxy: ${proxy}, enabled: false } }
  `)("with %s", (_, args, said) => {
    expect(faults(args)).toEqual(said);
  });

  it.each(["tiny-pw", "with a space inside", "has @/ inside it", "$6$looks-like-a-hash", "ünïcode-password"])(
    "refuse the password %j without repeating it",
    (password) => {
      const found = issues({ namespace: "a", browse: { proxy, credentials: [{ user: "alice", password }] } });
      expect(found).toHaveLength(1);
      expect(found[0]?.message).toMatch(/^(is too short|has characters that dufs does not accept);/);
      expect(found[0]?.path).toBe("browse.credentials[0].password");
      expect(found[0]?.message).not.toContain(password);
    },
  );
});
