/** A Debian package with a service, and the repository in the cluster from which `apt` takes it: the lab has no way out. */

import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { apply, kubectl, run } from "../../scripts/lib/lab/lab.ts";
import { restricted } from "../support/lab/restricted.ts";
import { reachedByAll } from "./reached-by-all.fixture.ts";

/** The service of the package `greeter` listens here; only root, or who has its capability, may. */
export const greeterPort = 21;

const service = `#!/bin/sh
### BEGIN INIT INFO
# Provides: greeter
# Required-Start:
# Required-Stop:
# Default-Start: 2 3 4 5
# Default-Stop:
### END INIT INFO
case $1 in
  start) start-stop-daemon --start --background --make-pidfile --pidfile /run/greeter.pid --exec /usr/sbin/greeter ;;
  stop) start-stop-daemon --stop --oknodo --pidfile /run/greeter.pid ;;
esac
`;
const program = `#!/bin/sh
exec python3 -m http.server ${greeterPort} --bind 127.0.0.1 --directory /var/lib/greeter
`;
/** As packages do: a user of its own, a folder that belongs to it. */
const postinst = `#!/bin/sh
set -e
useradd --system --home-dir /var/lib/greeter greeter
install -d -o greeter -g greeter /var/lib/greeter
echo hello >/var/lib/greeter/greeting
chown greeter:greeter /var/lib/greeter/greeting
`;
const control = `Package: greeter
Version: 1.0
Architecture: all
Maintainer: Nobody <nobody@example.com>
Description: greets
`;

const files: readonly (readonly [path: string, text: string, mode: number])[] = [
  ["DEBIAN/control", control, 0o644],
  ["DEBIAN/postinst", postinst, 0o755],
  ["etc/init.d/greeter", service, 0o755],
  ["usr/sbin/greeter", program, 0o755],
];

async function greeter(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "drawbridge-greeter-"));
  try {
    for (const [path, text, mode] of files) {
      const file = join(folder, "greeter", path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text, { mode });
    }
    const archive = join(folder, "greeter.deb");
    const made = await run("dpkg-deb", ["--root-owner-group", "--build", join(folder, "greeter"), archive]);
    if (made.code !== 0) throw new Error(`dpkg-deb: ${made.stderr}`);
    return await readFile(archive);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The package and its index, by their names in a repository without folders. */
export async function debianRepository() {
  const archive = await greeter();
  const hash = createHash("sha256").update(archive).digest("hex");
  const index = `${control}Filename: ./greeter.deb\nSize: ${archive.length}\nSHA256: ${hash}\n`;
  return { Packages: index, "greeter.deb": archive };
}

/** As root: takes the package from a repository and from nowhere else. */
export const installGreeter = (repository: string) =>
  [
    "rm -rf /etc/apt/sources.list /etc/apt/sources.list.d",
    `echo 'deb [trusted=yes] ${repository} ./' >/etc/apt/sources.list`,
    "apt-get update -q",
    "DEBIAN_FRONTEND=noninteractive apt-get install -qy greeter",
  ].join(" && ");

/** Serves the package in a namespace; returns the shell text by which root takes it from there and from nowhere else. */
export async function servePackages(namespace: string): Promise<string> {
  const { Packages, "greeter.deb": archive } = await debianRepository();
  const metadata = { name: "packages", namespace };
  const labels = { app: "packages" };
  await apply(
    reachedByAll("packages", namespace, labels),
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata,
      data: { Packages },
      binaryData: { "greeter.deb": archive.toString("base64") },
    },
    {
      apiVersion: "v1",
      kind: "Service",
      metadata,
      spec: { selector: labels, ports: [{ name: "http", port: 8080 }] },
    },
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { ...metadata, labels },
      spec: {
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 0,
        volumes: [{ name: "files", configMap: { name: "packages" } }],
        containers: [
          {
            name: "server",
            image: imageRef("busybox"),
            imagePullPolicy: "Never",
            command: ["httpd", "-f", "-p", "8080", "-h", "/files"],
            securityContext: restricted,
            volumeMounts: [{ name: "files", mountPath: "/files" }],
          },
        ],
      },
    },
  );
  await kubectl(["-n", namespace, "wait", "--for=condition=Ready", "pod/packages", "--timeout=120s"]);
  const { stdout } = await run("kubectl", [
    ...["-n", namespace, "get", "pod", "packages", "-o", "jsonpath={.status.podIP}"],
  ]);
  return installGreeter(`http://${stdout}:8080/`);
}
