import { EventEmitter } from "node:events";
import { expect, it } from "vitest";
import { ExecFailure, execScript, isMissing } from "./exec.ts";
import type { Kube } from "./kube.ts";

const place = { namespace: "team-a", pod: "web-0", podUid: "u", container: "app", ownTmp: true };

/** The outcome, or the fault's text, of a script for which the API sends these frames. */
async function outcome(...frames: readonly (readonly [channel: number, text: string])[]) {
  const socket = Object.assign(new EventEmitter(), {
    resume: () => {
      for (const [channel, text] of frames)
        socket.emit("message", Buffer.concat([Buffer.of(channel), Buffer.from(text)]));
      socket.emit("close");
    },
    terminate: () => undefined,
  });
  const kube = { server: "https://k.example.com", open: async () => socket } as unknown as Kube;
  return execScript(kube, place, "true", []).catch(({ message }: Error) => message);
}

it("gives both outputs and the exit code", async () => {
  const failed = { status: "Failure", details: { causes: [{ reason: "ExitCode", message: "3" }] } };
  expect(await outcome([1, "a"], [2, "b"], [1, "c"], [3, JSON.stringify(failed)])).toEqual({
    exitCode: 3,
    stdout: "ac",
    stderr: "b",
  });
  expect(await outcome([3, '{"status":"Success"}'])).toEqual({ exitCode: 0, stdout: "", stderr: "" });
});

it("says why there is no outcome", async () => {
  expect(await outcome([1, "a"])).toBe(
    "exec ended without a result; the pod may have been stopped, try again",
  );
  expect(await outcome([3, '{"status":"Failure","message":"no sh"}'])).toBe("no sh");
  expect(await outcome([3, "<html>Log in</html>"])).toBe(
    "https://k.example.com does not answer as a Kubernetes API does, but \"<html>Log in</html>\"; it may be a proxy's login page: check the kubeconfig's server address, or log in there first",
  );
});

it("keeps no more of what a container says than its scripts ever say", async () => {
  const most = Array.from({ length: 16 }, () => [2, "x".repeat(65_535)] as const);
  expect(await outcome(...most, [1, "y"], [3, '{"status":"Success"}'])).toBe(
    "the container says more than 1048576 bytes; check what its sh runs at start",
  );
});

it.each([
  [true, 'exec: "/bin/sh": stat /bin/sh: no such file or directory: unknown'],
  [true, 'exec: "sh": executable file not found in $PATH'],
  [true, "executable file `/bin/sh` not found: No such file or directory"],
  [false, "failed to load task: no running task found: task 3f0 not found: not found"],
  [false, 'chdir to cwd ("/work") set in config.json failed: no such file or directory'],
])("says of an image without a shell, and of nothing else, that it lacks one: %s of %s", (missing, text) => {
  expect(isMissing(new ExecFailure(text))).toBe(missing);
});
