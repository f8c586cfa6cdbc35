import { expect, it, vi } from "vitest";
import { CliError } from "../faults.ts";
import { podBehind, startApi } from "../sshpod/api.fixture.ts";
import { proxy } from "./proxy.ts";

it.each([
  [["--port", "22"], "--host is missing; give the host name, as in --host %h"],
  [
    ["--host", "dev1.example.com"],
    '--via is missing; say how to get to "dev1.example.com", or give a host name that ends in .sshpod',
  ],
  ...["0", "22x", "65536"].map((port): [string[], string] => [
    ["--host", "pod--x.sshpod", "--port", port],
    `--port "${port}" is not a port; give a whole number from 1 to 65535`,
  ]),
  [["--host", "pod--x.sshpod"], "--user is missing; give the user, as in --user %r"],
  [
    ["--host", "x", "--via", "https://127.0.0.1:1", "--cert", "a"],
    "--cert and --key belong together; give both or neither",
  ],
])("refuses %j with exit code 2", async (argv, message) => {
  const refusal = await proxy(argv).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(CliError);
  expect(refusal).toMatchObject({ message, exitCode: 2 });
});

it("says which file it cannot use", async () => {
  const argv = ["--host", "x", "--via", "https://127.0.0.1:1"];
  await expect(proxy([...argv, "--ca", "/nowhere"])).rejects.toThrow(
    "the file of --ca cannot be read: ENOENT: no such file or directory, open '/nowhere'",
  );
  await expect(proxy([...argv, "--ca", "/dev/null"])).rejects.toThrow(
    'the file of --ca, /dev/null, is not in PEM format; it must hold a "-----BEGIN …" block',
  );
});

it("tells every way that failed when none is open", async () => {
  await expect(
    proxy(["--host", "x", "--via", "http://127.0.0.1:1", "--via", "http://127.0.0.1:2"]),
  ).rejects.toThrow(
    "no way in is open\n  http://127.0.0.1:1: 127.0.0.1:1 refuses connections; check the port, and whether the gateway runs\n  http://127.0.0.1:2: 127.0.0.1:2 refuses connections; check the port, and whether the gateway runs",
  );
});

it("keeps the faults of all ways where the Kubernetes API refuses one", async () => {
  vi.stubEnv("KUBECONFIG", (await startApi(podBehind(500, "error dialing backend"))).kubeconfig);
  const via = "pod--dev1-0.namespace--team-a.sshpod";
  await expect(
    proxy(["--host", "x", "--own-sshd", "--via", "http://127.0.0.1:1", "--via", via]),
  ).rejects.toThrow(
    `no way in is open\n  http://127.0.0.1:1: 127.0.0.1:1 refuses connections; check the port, and whether the gateway runs\n  ${via}: the Kubernetes API answered 500: error dialing backend; try again; if it stays, ask your platform team whether the cluster and the pod's node are well`,
  );
  vi.unstubAllEnvs();
});
