import { describe, expect, it } from "vitest";
import { aliceKey, faultsOf, planOf, templateOf } from "../../dev-container/plan.fixture.ts";
import { cases } from "../../kit/faults.fixture.ts";
import { sshdFiles } from "./files.ts";

const team = { namespace: "team-a", root: true, containersInside: true };
const inside = { root: true, containersInside: true, team } as const;
const asRoot = { ...inside, user: { name: "root", uid: 0, gid: 0 } };

const podOf = (args: Parameters<typeof templateOf>[0]) => templateOf(args).spec;

describe("containers inside", () => {
  it("share their pod with no volume that the kubelet writes to", () => {
    const kinds = (args: Parameters<typeof podOf>[0]) =>
      podOf(args).volumes.map(({ name, ...source }) => `${name}: ${Object.keys(source)}`);
    expect(kinds({ ...inside, mounts: [{ claimName: "data", mountPath: "/data" }] })).toEqual([
      "home: persistentVolumeClaim",
      "mount-0: persistentVolumeClaim",
      "shm: emptyDir",
      "persist: persistentVolumeClaim",
      "sshd-config: emptyDir",
      "authorized-keys: emptyDir",
      "host-key: emptyDir",
      "sshd-run: emptyDir",
    ]);
    expect(kinds({ ...inside, containersInside: false })).toContain("authorized-keys: configMap");
  });

  it("get their files copied before they start, and again when who may log in changes", () => {
    const args = { ...inside, ssh: { userCa: { keys: [aliceKey] } }, startupScript: "#!/bin/sh\ntrue\n" };
    const files = podOf(args).initContainers.find(({ name }) => name === "sshd-files");
    const sources = files?.env?.map(({ valueFrom }) => {
      const [[kind, { name, key }]] = Object.entries(valueFrom ?? {}) as [
        [string, { name: string; key: string }],
      ];
      return `${kind} ${name} ${key}`;
    });
    expect(sources).toEqual([
      "configMapKeyRef dev1-sshd sshd_config",
      "configMapKeyRef dev1-sshd prepare",
      "configMapKeyRef dev1-sshd profile",
      "configMapKeyRef dev1-sshd startup",
      "configMapKeyRef dev1-sshd engine",
      "configMapKeyRef dev1-authorized-keys authorized_keys",
      "configMapKeyRef dev1-authorized-keys user_ca_keys",
      "configMapKeyRef dev1-authorized-keys principals",
      "secretKeyRef dev1-host-key ssh_host_ed25519_key",
    ]);
    expect(files?.command?.at(-1)).toContain(
      '\nprintf %s "$FILE_8" >/files/host-key/ssh_host_ed25519_key && chmod 440 /files/host-key/ssh_host_ed25519_key\n',
    );
    const annotations = (keys?: string) =>
      templateOf(inside, "h", keys).metadata.annotations["drawbridge.dev/authorized-keys"];
    expect(annotations("a")).toBe("a");
    expect(annotations()).toBeUndefined();
  });

  it("are started by an engine of root's, whose socket is the user's", () => {
    const files = sshdFiles(planOf(inside));
    expect(files.prepare).toContain(
      "\nsudo -n sh /etc/drawbridge/sshd/engine </dev/null 2>&1 | sed 's/^/containers: /' &\n",
    );
    expect(files.engine).toContain("\n  chown 1000:1000 /run/podman/podman.sock\n");
    expect(files.engine).toContain("\nln -sf /run/podman/podman.sock /run/docker.sock\n");
    expect(sshdFiles(planOf(asRoot)).prepare).toContain("\nsh /etc/drawbridge/sshd/engine </dev/null");
    expect(sshdFiles(planOf(asRoot)).engine).toContain("chown 0:0 ");
    expect(sshdFiles(planOf(asRoot)).engine).toContain("\nunset CONTAINER_HOST\n");
    expect(sshdFiles(planOf({ ...inside, containersInside: false }))).not.toHaveProperty("engine");
    expect(sshdFiles(planOf({})).prepare).not.toContain("engine");
  });

  it("are found by podman and docker in every session, unless the container says otherwise", () => {
    const variables = (args: object) =>
      (podOf({ ...inside, ...args }).containers[0]?.env ?? [])
        .filter(({ name }) => /^(CONTAINER|DOCKER)_/.test(name))
        .map(({ name, value }) => `${name}=${value}`);
    expect(variables({})).toEqual(["CONTAINER_HOST=unix:///run/podman/podman.sock", "DOCKER_BUILDKIT=0"]);
    expect(variables({ env: { DOCKER_BUILDKIT: "1" } })).toContain("DOCKER_BUILDKIT=1");
    expect(variables({ containersInside: false })).toEqual([]);
  });
});

const kubelet =
  "would be a volume that the kubelet writes as root of the node, which is unsafe where root inside may mount";

describe("is refused", () => {
  it.each(cases`
    { root: false, containersInside: true, team: { namespace: "team-a", root: true, containersInside: true } }
      → containersInside: needs root: true
    { root: true, containersInside: true, team: { namespace: "team-a", root: true } }
      → team.containersInside: is false
    { root: true, containersInside: true, team: ${team}, ssh: { mode: "sidecar", image: "registry.example.com/devcontainer:1" } }
      → ssh.mode: "sidecar" does not support containersInside
    { root: true, containersInside: true, team: ${team}, access: { frp: { external: { serverAddr: "frp.example.com", unverifiedTls: true, domain: "ssh.example.com" }, address: "frp.example.com", token: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" } } }
      → access.frp: keeps its token in a volume that the kubelet writes, which is unsafe where root inside may mount
    { root: true, containersInside: true, team: ${team}, mounts: [{ claimName: "data", mountPath: "/data", readOnly: true }] }
      → mounts[0].readOnly: cannot be enforced where root inside may mount: it could mount the volume again, writable
    { root: true, containersInside: true, team: ${team}, persist: { paths: ["/var/lib"] }, mounts: [{ claimName: "x", mountPath: "/var/lib/containers/x" }] }
      → mounts[0].mountPath: /var/lib/containers/x overlaps /var/lib/containers, which the container needs
      → persist.paths[0]: /var/lib overlaps /var/lib/containers, which the container needs
      → persist.paths[0]: /var/lib overlaps /var/lib/containers/x, which is set too
    { root: true, containersInside: true, team: ${team}, mounts: [{ secretName: git, mountPath: /secrets }, { volumeName: scratch, mountPath: /scratch }, { volumeName: tools, mountPath: /tools }], trustedCa: { configMapName: ca }, serviceAccount: { token: true }, pod: { volumes: [{ name: scratch, emptyDir: {} }, { name: tools, configMap: { name: tools } }] } }
      → mounts[0].secretName: ${kubelet}
      → trustedCa: ${kubelet}
      → serviceAccount.token: ${kubelet}
      → pod.volumes[1]: ${kubelet}
  `)("%s", (_, args, faults) => {
    expect(faultsOf(args).sort()).toEqual(faults.toSorted());
  });

  it("nothing of these where it is in order", () => {
    expect(faultsOf(inside)).toEqual([]);
    expect(faultsOf(asRoot)).toEqual([]);
    expect(faultsOf({ persist: { paths: ["/var/lib/containers"] } })).toEqual([]);
  });
});
