/**
 * All that a release publishes: made whole, held against its checksums, and each part started. `DRAWBRIDGE_RELEASE` names
 * a folder that the dry run has made already.
 */

import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { ensureDebianPackages, silentProgress } from "@drawbridge-iac/lab";
import { beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../packages/drawbridge/src/kit/temporary-folder.fixture.ts";
import { expectSuccess, run } from "../../scripts/lib/lab/lab.ts";
import { projectVersion } from "../../scripts/lib/versions.ts";
import { goArchive, wheelFile } from "../../scripts/release/sdks.ts";
import { startSshd } from "../support/clients/loopback-ssh.ts";
import { publishedPackages, repository } from "../support/release/outsider.ts";
import { type OciImage, unpackOci } from "./oci-image.fixture.ts";

/** The two machines that a release is for, and how this one runs the other's programs. */
const machines = {
  x64: {
    architecture: "amd64",
    emulators: ["qemu-x86_64-static", "qemu-x86_64"],
    libraries: "/usr/x86_64-linux-gnu",
    packages: ["libc6-amd64-cross", "libstdc++6-amd64-cross"],
  },
  arm64: {
    architecture: "arm64",
    emulators: ["qemu-aarch64-static", "qemu-aarch64"],
    libraries: "/usr/aarch64-linux-gnu",
    packages: ["libc6-arm64-cross", "libstdc++6-arm64-cross"],
  },
} as const;
type Machine = keyof typeof machines;
const own: Machine = process.arch === "arm64" ? "arm64" : "x64";
const other: Machine = own === "arm64" ? "x64" : "arm64";

const version = projectVersion();
const folder = temporaryFolder();
let release: string;
let emulator: string;

/** The words that start a program of a machine. */
const starter = (machine: Machine) => (machine === own ? [] : [emulator, "-L", machines[machine].libraries]);

/** Runs a program of a machine without the repository's Node, and without a home of anybody's. */
function start(machine: Machine, program: string, ...args: string[]) {
  const [command = "", ...words] = [...starter(machine), program, ...args];
  const env = { PATH: "/usr/bin:/bin", NODE_OPTIONS: "", HOME: folder };
  return run(command, words, { env, timeoutSeconds: 300 });
}

beforeAll(async () => {
  const packages = ["openssh-client", "qemu-user-static", ...machines[other].packages];
  await ensureDebianPackages(packages, silentProgress);
  const names = machines[other].emulators.map((name) => `command -v ${name}`).join(" || ");
  emulator = (await expectSuccess(run("sh", ["-c", names]))).stdout.trim();
  const made = process.env.DRAWBRIDGE_RELEASE;
  release = made === undefined ? join(folder, "release") : resolve(made);
  if (made !== undefined) return;
  const args = ["scripts/release.ts", "--dry-run", "--out", release];
  const env = { DRAWBRIDGE_REPOSITORY: repository };
  await expectSuccess(run(process.execPath, args, { env, timeoutSeconds: 3000 }));
});

const archives = ["hashes.json", "sshd-bundle-amd64.tar.gz", "sshd-bundle-arm64.tar.gz"];
const executables = ["linux-arm64", "linux-x64", "win-x64.exe"].map(
  (name) => `drawbridge-${version}-${name}`,
);
const plugins = ["linux-amd64", "linux-arm64", "windows-amd64"].map(
  (name) => `pulumi-resource-drawbridge-v${version}-${name}.tar.gz`,
);
/** Images, and whether anything of Debian's is in them. */
const images: readonly (readonly [name: string, debian: boolean])[] = [
  ["devcontainer-linux-amd64", true],
  ["dufs-linux-amd64", true],
  ["programs-linux-amd64", true],
  ["frpc-linux-amd64", false],
  ["frps-linux-amd64", false],
  ["sshd-bundle-linux-amd64", true],
  ["sshd-bundle-linux-arm64", true],
];
const imageFile = (name: string) => name.replace("-linux-", `-${version}-linux-`);

describe("the folder", () => {
  it("holds every artifact and nothing else", async () => {
    const found = await readdir(release, { recursive: true, withFileTypes: true });
    const files = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    expect(files.map((file) => file.slice(release.length + 1)).sort()).toEqual(
      [
        ...publishedPackages.map((name) => `npm/drawbridge-iac-${name}-${version}.tgz`),
        ...archives.map((name) => `sshd/${name}`),
        `sdks/${wheelFile(version)}`,
        `sdks/${goArchive(version)}`,
        ...executables.map((name) => `bin/${name}`),
        ...plugins.map((name) => `bin/${name}`),
        ...images.flatMap(([name, debian]) => [
          `images/${imageFile(name)}.oci.tar`,
          ...(debian ? [`images/${imageFile(name)}.cdx.json`] : []),
        ]),
        `drawbridge-${version}.cdx.json`,
        "NOTES.md",
        "SHA256SUMS",
      ].sort(),
    );
    const lines = (await readFile(join(release, "SHA256SUMS"), "utf8")).trim().split("\n");
    const said = Object.fromEntries(lines.map((line) => line.split("  ").reverse() as [string, string]));
    const others = files.filter((file) => basename(file) !== "SHA256SUMS");
    expect(Object.keys(said).sort()).toEqual(others.map((file) => basename(file)).sort());
    for (const file of others) {
      const hash = createHash("sha256").update(await readFile(file));
      expect([file, hash.digest("hex")]).toEqual([file, said[basename(file)]]);
    }
  });

  it("has notes with the version's changes and how to install it", async () => {
    const notes = await readFile(join(release, "NOTES.md"), "utf8");
    expect(notes).toContain(`npm install @drawbridge-iac/drawbridge@${version}`);
    expect(notes.split("## Install")[0]?.trim().split("\n").length).toBeGreaterThan(3);
  });

  it("brings the sshd of both machines in npm's package of the command", async () => {
    const tarball = join(release, "npm", `drawbridge-iac-cli-${version}.tgz`);
    const { stdout } = await expectSuccess(run("tar", ["-tzf", tarball]));
    const bundled = stdout.split("\n").filter((line) => line.startsWith("package/bundle/"));
    expect(bundled.sort()).toEqual(archives.map((name) => `package/bundle/${name}`));
  });
});

describe("the sshd that the command brings into containers", () => {
  it.each([own, other])("logs its user in: %s", async (machine) => {
    const { architecture } = machines[machine];
    const [emulated] = starter(machine);
    const sshd = await startSshd({
      archives: join(release, "sshd"),
      architecture,
      ...(emulated === undefined ? {} : { emulator: emulated }),
    });
    try {
      const options = [
        "StrictHostKeyChecking=yes",
        `UserKnownHostsFile=${join(sshd.folder, "known")}`,
        "BatchMode=yes",
      ];
      await expectSuccess(
        run("sh", [
          "-c",
          'echo "[127.0.0.1]:$1 $2" >"$3"',
          "sh",
          `${sshd.port}`,
          sshd.hostPublicKey,
          join(sshd.folder, "known"),
        ]),
      );
      const words = ["-F", "none", ...options.flatMap((option) => ["-o", option]), "-i", sshd.userKey];
      const login = await run("ssh", [...words, "-p", `${sshd.port}`, "root@127.0.0.1", "id -u; exit 7"]);
      expect(login).toEqual({ code: 7, stdout: "0\n", stderr: "" });
      // A program of the other machine, and not this one's under another name.
      const header = await readFile(join(sshd.folder, "bin", "sshd"));
      expect(header.readUInt16LE(18)).toBe(machine === "arm64" ? 0xb7 : 0x3e);
    } finally {
      await sshd.stop();
    }
  });
});

describe("the command in one file", () => {
  it.each([own, other])("starts and judges a stack file: Linux on %s", async (machine) => {
    const program = join(release, "bin", `drawbridge-${version}-linux-${machine}`);
    expect(await start(machine, program, "--version")).toEqual({
      code: 0,
      stdout: `${version}\n`,
      stderr: "",
    });
    const judged = await start(machine, program, "validate", resolve("stacks/Pulumi.team-a.yaml"));
    expect(judged).toMatchObject({ code: 0, stderr: "" });
  });

  it.each([own, other])("starts as a plugin, without a Node: Linux on %s", async (machine) => {
    const { architecture } = machines[machine];
    const archive = join(
      release,
      "bin",
      `pulumi-resource-drawbridge-v${version}-linux-${architecture}.tar.gz`,
    );
    await expectSuccess(run("tar", ["-xzf", archive, "-C", folder]));
    // Pulumi gives an engine's address, and reads the port from the first line.
    const program = join(folder, "pulumi-resource-drawbridge");
    const [command = "", ...words] = [...starter(machine), program, "127.0.0.1:1"];
    const child = spawn(command, words, {
      env: { PATH: "/usr/bin:/bin" },
      stdio: ["ignore", "pipe", "ignore"],
    });
    let said = "";
    for await (const text of child.stdout) {
      said += text;
      if (said.includes("\n")) break;
    }
    child.kill();
    expect(said).toMatch(/^\d+\n/);
  });

  it("is made for Windows too: a program with the command inside", async () => {
    const program = await readFile(join(release, "bin", `drawbridge-${version}-win-x64.exe`));
    expect(program.subarray(0, 2).toString()).toBe("MZ");
    // Node looks for this to see that something was put into it.
    expect(program.includes("NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1")).toBe(true);
    expect(program.includes("sshd-bundle-arm64.tar.gz")).toBe(true);
  });
});

describe("an image", () => {
  let unpacked: OciImage;
  /** Runs a program of the image in it, or beside it where it is another machine's. */
  const inside = (program: string, ...args: string[]) => {
    const words = unpacked.architecture === machines[own].architecture ? [] : [emulator];
    const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", NODE_OPTIONS: "" };
    if (words.length === 0) return run("chroot", [unpacked.root, program, ...args], { env });
    return run(emulator, [join(unpacked.root, program), ...args], { env });
  };
  const help = ["--help"];
  const programs: Record<string, readonly [program: string, args: readonly string[], says: RegExp]> = {
    devcontainer: ["/usr/sbin/sshd", ["-V"], /OpenSSH_/],
    dufs: ["/usr/local/bin/dufs", ["--version"], /^dufs 0\./],
    frpc: ["/usr/local/bin/frpc", ["--version"], /^0\./],
    frps: ["/usr/local/bin/frps", ["--version"], /^0\./],
    programs: ["/usr/local/bin/drawbridge-program", help, /--units/],
    "sshd-bundle": ["/drawbridge/bin/sshd", ["-V"], /OpenSSH_/],
  };

  it.each(images)("%s has its version, its list and a program that starts", async (file, debian) => {
    const [name = "", architecture = ""] = file.split("-linux-");
    unpacked = await unpackOci(join(release, "images", `${imageFile(file)}.oci.tar`), join(folder, file));
    expect({ architecture: unpacked.architecture, labels: unpacked.labels }).toMatchObject({
      architecture,
      labels: {
        "org.opencontainers.image.title": `drawbridge ${name}`,
        "org.opencontainers.image.version": version,
        "org.opencontainers.image.licenses": "Apache-2.0",
      },
    });
    expect(unpacked.entrypoint.length).toBeGreaterThan(0);
    // A registry keeps them as they are, so the digest stays, and a node fetches as much.
    const types = new Set(unpacked.layers.map(({ mediaType }) => mediaType));
    expect([...types]).toEqual(["application/vnd.oci.image.layer.v1.tar+gzip"]);
    const tag = architecture === "amd64" ? version : `${version}-${architecture}`;
    expect(await readFile(join(release, "NOTES.md"), "utf8")).toContain(
      `\n| \`${name}:${tag}\` | \`${unpacked.digest}\` |\n`,
    );
    // What clusters pull for themselves is small; people's tools weigh more.
    const bytes = unpacked.layers.reduce((sum, { size }) => sum + size, 0);
    expect(bytes).toBeLessThan(name === "devcontainer" ? 200e6 : 60e6);
    const [program, args, says] = programs[name] ?? ["", [], /^$/];
    // Every container runtime brings it.
    const device = "mkdir -p dev && { [ -e dev/null ] || mknod -m 666 dev/null c 1 3; }";
    await expectSuccess(run("sh", ["-c", device], { cwd: unpacked.root }));
    const { stdout, stderr } = await inside(program, ...args);
    expect(`${stdout}${stderr}`).toMatch(says);
    if (debian) {
      const list = join(release, "images", `${imageFile(file)}.cdx.json`);
      const { bomFormat, components } = JSON.parse(await readFile(list, "utf8"));
      expect({ bomFormat, some: components.length > 3 }).toEqual({ bomFormat: "CycloneDX", some: true });
    }
    await rm(join(folder, file), { recursive: true });
  });
});
