import { describe, expect, it } from "vitest";
import { cases } from "../kit/faults.fixture.ts";
import { faultsOf, gateway, templateOf } from "./plan.fixture.ts";

const team = { namespace: "team-a", root: true };
const root = { root: true, team } as const;
const asRoot = { ...root, user: { name: "root", uid: 0, gid: 0 } };
const bundle = { mode: "injected", image: "registry.example.com/sshd-bundle:1" } as const;

const podOf = (args: Parameters<typeof templateOf>[0]) => templateOf(args).spec;
type Containers = ReturnType<typeof podOf>["containers"][number][];

const namesOf = (containers: Containers, context: object) =>
  containers.filter(({ securityContext }) => isSame(securityContext, context)).map(({ name }) => name);
const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);
const asRootInside = { allowPrivilegeEscalation: true, capabilities: { drop: ["NET_RAW"] } };
const restricted = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };

describe("root inside", () => {
  it("is for the containers in which people work, not for those that help", () => {
    const frp = {
      external: { serverAddr: "frp.example.com", unverifiedTls: true, domain: "ssh.example.com" },
      address: "frp.example.com",
      token: "x".repeat(32),
    };
    const pod = podOf({
      ...root,
      ssh: { mode: "sidecar", image: "registry.example.com/devcontainer:1" },
      access: { gateway, frp },
      pod: { sidecars: [{ name: "cache", image: "registry.example.com/cache:1" }] },
    });
    const all = [...pod.initContainers, ...pod.containers];
    expect(namesOf(all, asRootInside)).toEqual(["sshd", "dev"]);
    expect(all.map(({ name }) => name)).toEqual(["home-folder", "sshd", "frpc", "cache", "dev"]);
  });

  it("keeps the owners of what persisted paths hold", () => {
    const seed = (args: object) =>
      podOf({ persist: { paths: ["/var/lib/app"] }, ...args }).initContainers.find(
        ({ name }) => name === "seed",
      );
    expect(seed(root)?.securityContext).toEqual({
      runAsUser: 0,
      runAsGroup: 0,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["NET_RAW"] },
    });
    expect(seed(root)?.command?.join("\n")).toContain('tar -C "$data" -xpf -');
    // A path that the image lacks belongs to the user.
    expect(seed(root)?.command?.join("\n")).toContain(
      '\n  else\n    chown "$OWNER" "$data" || exit 1\n  fi\n',
    );
    expect(seed(root)?.env).toContainEqual({ name: "OWNER", value: "1000:1000" });
    expect(seed({})?.command?.join("\n")).not.toContain("OWNER");
    expect(seed({})?.securityContext).toEqual(restricted);
    expect(seed({})?.command?.join("\n")).toContain('tar -C "$data" -xpof -');
  });
});

describe("root by key", () => {
  it("leaves an image's accounts as they are, so that packages can add theirs", () => {
    const pod = podOf({ ...asRoot, ssh: bundle });
    const mounted = (pod.containers[0]?.volumeMounts ?? []).filter(({ name }) => name === "drawbridge");
    expect(mounted.map(({ mountPath }) => mountPath)).toEqual(["/drawbridge"]);
    const accounts = pod.initContainers.find(({ name }) => name === "accounts");
    expect(accounts?.command?.at(-1)).toContain('\necho "sshd:x:65534:65534:');
    const other = podOf({ ssh: bundle });
    const paths = (other.containers[0]?.volumeMounts ?? []).filter(({ name }) => name === "drawbridge");
    expect(paths.map(({ mountPath }) => mountPath)).toEqual(["/drawbridge", "/etc/passwd", "/etc/group"]);
    expect(other.initContainers.find(({ name }) => name === "accounts")?.command?.at(-1)).not.toContain(
      "sshd:x",
    );
  });
});

describe("is refused", () => {
  it.each(cases`
    { root: true } → team: is missing
    { root: true, team: { namespace: "team-b", root: true } }
      → team.namespace: is team-b, but the container is in team-a
    { root: true, team: { namespace: "team-a" } } → team.root: is false
    { root: true, team: { namespace: "team-a", root: true }, user: { uid: 0, gid: 0 } }
      → user.uid: 0 is root
      → user.gid: 0 is root's group
    { root: true, team: { namespace: "team-a", root: true }, user: { name: "root" } }
      → user.uid: must be 0 for root
      → user.gid: must be 0 for root
    { user: { uid: 999 } } → user.uid: 999 is below 1000, in the range of system users
    { root: true, team: { namespace: "team-a", root: true }, user: { name: "root", uid: 0, gid: 0, shell: "/bin/zsh" }, ssh: { mode: "injected", image: "registry.example.com/sshd-bundle:1" } }
      → user.shell: is set by the image for root
    { root: true, team: { namespace: "team-a", root: true }, ssh: { mode: "injected", image: "registry.example.com/sshd-bundle:1" } }
      → user.name: jovyan cannot become root in an image without sudo
    { root: true, team: { namespace: "team-a", root: true }, user: { uid: 65536, gid: 70000 }, pod: { fsGroup: 65536, supplementalGroups: [65535, 70000], sidecars: [{ name: "cache", image: "cache:1", securityContext: { runAsUser: 65536, runAsGroup: 65535 } }] } }
      → pod.fsGroup: 65536 is outside the pod's user namespace, whose ids are 0 to 65535
      → pod.supplementalGroups[1]: 70000 is outside the pod's user namespace, whose ids are 0 to 65535
      → user.uid: 65536 is outside the pod's user namespace, whose ids are 0 to 65535
      → user.gid: 70000 is outside the pod's user namespace, whose ids are 0 to 65535
      → pod.sidecars[0].securityContext.runAsUser: 65536 is outside the pod's user namespace, whose ids are 0 to 65535
  `)("%s", (_, args, faults) => {
    expect(faultsOf(args).sort()).toEqual(faults.toSorted());
  });

  it("neither such ids without root, nor root where it is allowed", () => {
    expect(faultsOf({ user: { uid: 70_000, gid: 70_000 } })).toEqual([]);
    expect(faultsOf(root)).toEqual([]);
    expect(faultsOf(asRoot)).toEqual([]);
    expect(faultsOf({ ...asRoot, ssh: bundle })).toEqual([]);
  });
});
