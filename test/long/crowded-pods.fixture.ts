/** Pods in which several users share `/tmp`: those as whom a laptop may log in, and an attacker. */
import { busybox, busyboxPod } from "../support/stacks/busybox.ts";

export const eve = 1234;

/** A container as `uid`, which sees the shared `/tmp`, and `/loot`, to which everybody may write. */
function member(name: string, uid: number, changes: object = {}): object {
  const volumeMounts = [
    { name: "tmp", mountPath: "/tmp" },
    { name: "loot", mountPath: "/loot" },
  ];
  return busybox(name, { volumeMounts, securityContext: { runAsUser: uid, runAsGroup: uid }, ...changes });
}

/** @param mode of `/tmp` */
function shared(namespace: string, name: string, mode: string, admin: object = {}): object {
  const volumes = ["tmp", "loot"].map((volume) => ({ name: volume, emptyDir: {} }));
  const prepare = member("prepare", 0, { command: ["chmod", mode, "/tmp"] });
  const containers = [member("admin", 0, admin), member("app", 1000), member("eve", eve)];
  return busyboxPod(namespace, name, containers, {
    initContainers: [prepare],
    volumes,
    // Each sees the others' programs, as in a container with several users.
    shareProcessNamespace: true,
  });
}

/** A hardened pod with a single user: its `/tmp` is a volume to which everybody may write. */
function lonely(namespace: string, name: string, gains: boolean): object {
  const own = {
    volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
    securityContext: {
      runAsUser: 1000,
      runAsNonRoot: true,
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: gains,
      capabilities: { drop: ["ALL"] },
    },
  };
  return busyboxPod(namespace, name, [busybox("main", own)], { volumes: [{ name: "tmp", emptyDir: {} }] });
}

export function crowdedPods(namespace: string): object[] {
  // A folder of the container's PATH, before the image's own, to which everybody may write.
  const loosePath = { env: [{ name: "PATH", value: "/loot/bin:/bin" }] };
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    shared(namespace, "crowd", "1777"),
    shared(namespace, "loose", "0777"),
    shared(namespace, "path", "1777", loosePath),
    lonely(namespace, "alone", false),
    lonely(namespace, "gaining", true),
    busyboxPod(namespace, "elsewhere", [busybox("main")]),
    busyboxPod(namespace, "named", [busybox("main", { securityContext: { runAsUser: 1000 } })], {
      initContainers: [
        busybox("prepare", {
          command: [
            "sh",
            "-c",
            `printf 'root:x:0:0::/:/bin/sh\\n\\033[2J\\033]0;gone\\007app:x:1000:1000::/:/bin/sh\\n' >/etc-of/passwd`,
          ],
          volumeMounts: [{ name: "etc", mountPath: "/etc-of" }],
        }),
      ],
      volumes: [{ name: "etc", emptyDir: {} }],
    }),
  ];
}
