/** Programs that log in with libraries, built before and cached: a lab has no network to fetch packages from. */
import { copyFile, cp, readFile, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  cached,
  ensureDebianPackages,
  fingerprint,
  goCommand,
  type Progress,
  silentProgress,
} from "@drawbridge-iac/lab";
import { expectSuccess, run } from "../lab/lab.ts";

const sources = resolve("test/programs/ssh-clients");
const pythonPackages = ["paramiko==5.1.0", "asyncssh==2.24.1", "ssh-python==1.2.0.post1"];
const ssh2 = "ssh2@1.17.0";
// Its JSch is the one that is kept: 0.1 of older releases knows no Ed25519.
const debianOfJsch = "trixie";

async function fill(folder: string): Promise<void> {
  const slow = (command: string, ...args: string[]) =>
    expectSuccess(run(command, args, { timeoutSeconds: 1800 }));
  const venv = join(folder, "python");
  await slow("python3", "-m", "venv", venv);
  await slow(join(venv, "bin/python"), "-m", "pip", "install", "--quiet", ...pythonPackages);
  await slow("npm", "install", "--silent", "--prefix", folder, ssh2);
  await copyFile(join(sources, "ssh2-client.cjs"), join(folder, "ssh2-client.cjs"));
  const module = join(folder, "x-crypto");
  await cp(join(sources, "x-crypto"), module, { recursive: true });
  const go = await goCommand(silentProgress);
  await slow(go, "build", "-C", module, "-mod=mod", "-o", join(folder, "x-crypto-client"), ".");
  const debian = join(folder, "debian");
  await ensureDebianPackages(["mmdebstrap"], silentProgress);
  await slow("mmdebstrap", "--variant=extract", "--include=libjsch-java", debianOfJsch, debian);
  // Debian's JSch takes Ed25519 from the second, not from Java.
  for (const jar of ["jsch.jar", "bcprov.jar"])
    await copyFile(join(debian, "usr/share/java", jar), join(folder, jar));
  await rm(debian, { recursive: true });
}

/** The words that start each; the port, known_hosts, a key and a port there that it forwards from follow. */
export async function sshClients(progress: Progress): Promise<Record<string, string[]>> {
  await ensureDebianPackages(["default-jdk-headless"], progress);
  const compiled = ["ssh2-client.cjs", "x-crypto/go.mod", "x-crypto/main.go"].map((name) =>
    join(sources, name),
  );
  const made = await Promise.all([import.meta.filename, ...compiled].map((file) => readFile(file, "utf8")));
  const folder = await cached({
    path: `ssh-clients/${fingerprint(made)}`,
    onWait: () => progress.note("programs that log in: another process is making them, waiting …"),
    fill: (folder) => progress.step("programs that log in", () => fill(folder)),
  });
  const inPython = (name: string) => [join(folder, "python/bin/python"), join(sources, `${name}-client.py`)];
  return {
    Paramiko: inPython("paramiko"),
    asyncssh: inPython("asyncssh"),
    libssh: inPython("libssh"),
    ssh2: ["node", join(folder, "ssh2-client.cjs")],
    "x/crypto/ssh": [join(folder, "x-crypto-client")],
    JSch: ["java", "-cp", join(folder, "*"), join(sources, "JschClient.java")],
  };
}
