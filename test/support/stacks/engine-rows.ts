/**
 * What a developer does with containers inside, row by row: a shell text in which `$E` is `podman` or `docker`, and what it
 * prints. `localhost/base` is a busybox. Each leaves nothing behind that another row meets.
 */

export interface EngineRow {
  readonly name: string;
  readonly script: string;
  /** All of its output, errors included, or a part of it. */
  readonly says: string | RegExp;
  /** Other than both: a command that the other one has not. */
  readonly by?: "podman" | "docker";
}

type Rows = Readonly<Record<string, readonly [script: string, says: string | RegExp, by?: EngineRow["by"]]>>;

const base = "localhost/base";
/** Writes files of a build context into a new folder and goes there. */
const context = (files: Readonly<Record<string, string>>) =>
  [
    "rm -rf ~/context && mkdir ~/context && cd ~/context",
    ...Object.entries(files).map(([name, text]) => `printf %b '${text.replaceAll("\n", "\\n")}' >${name}`),
  ].join(" && ");
const build = (tag: string, dockerfile: string, files: Readonly<Record<string, string>> = {}) =>
  `${context({ Dockerfile: dockerfile, ...files })} && $E build -t ${tag} .`;

const running: Rows = {
  "a command's output": [`$E run --rm ${base} echo hello`, "hello\n"],
  "a command's exit code": [`$E run --rm ${base} sh -c 'exit 7'; echo $?`, "7\n"],
  "standard input": [`echo in | $E run --rm -i ${base} cat`, "in\n"],
  "environment, folder and host name": [
    `$E run --rm -e A=b -w /tmp -h box ${base} sh -c 'echo $A $PWD $(hostname)'`,
    "b /tmp box\n",
  ],
  "another entry point": [`$E run --rm --entrypoint echo ${base} entry`, "entry\n"],
  "another user": [`$E run --rm -u 1234:4321 ${base} sh -c 'id -u; id -g'`, "1234\n4321\n"],
  "an init process": [`$E run --rm --init ${base} sh -c 'cat /proc/1/comm'`, /^(podman|docker)-init\n$/],
  "a read-only root": [`$E run --rm --read-only ${base} touch /x`, /Read-only file system/],
  "a tmpfs": [
    `$E run --rm --read-only --tmpfs /t ${base} sh -c 'touch /t/x && grep -c " /t tmpfs" /proc/mounts'`,
    "1\n",
  ],
  "no capabilities": [`$E run --rm --cap-drop ALL ${base} grep CapEff /proc/self/status`, /\t0{16}\n$/],
  "limits of files": [`$E run --rm --ulimit nofile=64:64 ${base} sh -c 'ulimit -n'`, "64\n"],
  "a process table of its own": [`$E run --rm ${base} sh -c 'ls -d /proc/[0-9]* | wc -l'`, /^[2-4]\n$/],
  "names of other hosts": [
    `$E run --rm --add-host there:192.0.2.9 ${base} grep there /etc/hosts`,
    /192\.0\.2\.9\s+there/,
  ],
};

const living: Rows = {
  "logs of one that runs": [
    `$E run -d --name logs ${base} sh -c 'echo one; echo two >&2; sleep 600' >/dev/null; sleep 2; $E logs logs 2>/dev/null; $E logs logs 2>&1 >/dev/null; $E rm -f logs >/dev/null`,
    "one\ntwo\n",
  ],
  "exec, also as another user": [
    `$E run -d --name exec -u 1000 ${base} sleep 600 >/dev/null; $E exec exec id -u; $E exec -u 0 exec id -u; $E rm -f exec >/dev/null`,
    "1000\n0\n",
  ],
  "stop asks, and waits": [
    `$E run -d --name stop ${base} sh -c 'trap "echo asked; exit 3" TERM; while :; do sleep 0.1; done' >/dev/null; sleep 1; $E stop stop >/dev/null; $E logs stop; $E wait stop; $E rm stop >/dev/null`,
    "asked\n3\n",
  ],
  "a signal by name": [
    `$E run -d --name kill ${base} sh -c 'trap "echo usr1" USR1; while :; do sleep 0.1; done' >/dev/null; sleep 1; $E kill -s USR1 kill >/dev/null; sleep 1; $E logs kill; $E rm -f kill >/dev/null`,
    "usr1\n",
  ],
  "start again, with what it had written": [
    `$E run --name again ${base} touch /kept; $E start -a again; $E cp again:/kept - | tar -t; $E rm again >/dev/null`,
    "kept\n",
  ],
  "a list of what runs": [
    `$E run -d --name listed ${base} sleep 600 >/dev/null; $E ps --format '{{.Names}}'; $E inspect -f '{{.State.Status}}' listed; $E rm -f listed >/dev/null; $E ps -aq --filter name=listed`,
    "listed\nrunning\n",
  ],
  "files in and out": [
    `$E run -d --name cp ${base} sleep 600 >/dev/null; echo in >~/in; $E cp ~/in cp:/in; $E exec cp sh -c 'cat /in >/out'; $E cp cp:/out ~/out; cat ~/out; $E rm -f cp >/dev/null`,
    "in\n",
  ],
};

const volumes: Rows = {
  "a volume outlives its container": [
    `$E run --rm -v data:/data ${base} sh -c 'echo kept >/data/x'; $E run --rm -v data:/data ${base} cat /data/x; $E volume rm data`,
    "kept\ndata\n",
  ],
  "a folder of the home, with the container's root as its owner": [
    `rm -rf ~/bound; mkdir ~/bound; $E run --rm -v ~/bound:/b ${base} touch /b/x; stat -c %U ~/bound/x; sudo rm ~/bound/x`,
    "root\n",
  ],
  "a folder of the home, as the user": [
    `rm -rf ~/bound; mkdir ~/bound; $E run --rm -u 1000:1000 -v ~/bound:/b ${base} touch /b/x; stat -c %U ~/bound/x`,
    "jovyan\n",
  ],
  "a folder, read-only": [
    `mkdir -p ~/bound; $E run --rm -v ~/bound:/b:ro ${base} touch /b/y`,
    /Read-only file system/,
  ],
  "the mount syntax": [
    `$E run --rm --mount type=volume,src=m,dst=/m ${base} sh -c 'echo x >/m/x; cat /m/x'; $E volume rm m`,
    "x\nm\n",
  ],
};

const images: Rows = {
  "a build": [
    `${build("localhost/built", `FROM ${base}\nCOPY file /file\nCMD cat /file\n`, { file: "content\n" })} >/dev/null 2>&1; $E run --rm localhost/built; $E rmi localhost/built >/dev/null`,
    "content\n",
  ],
  "a build of several stages": [
    `${build("localhost/staged", `FROM ${base} AS make\nRUN echo made >/made\nFROM ${base}\nCOPY --from=make /made /made\nCMD cat /made\n`)} >/dev/null 2>&1; $E run --rm localhost/staged; $E rmi localhost/staged >/dev/null`,
    "made\n",
  ],
  "a build again is from the cache": [
    `(${build("localhost/cached", `FROM ${base}\nRUN date +%N >/when\n`)}) >/dev/null 2>&1; $E run --rm localhost/cached cat /when >~/first; cd ~/context; $E build -t localhost/cached . 2>&1 | grep -ci 'using cache'; $E run --rm localhost/cached cat /when | cmp - ~/first && echo same; $E rmi localhost/cached >/dev/null`,
    /^[12]\nsame\n$/,
  ],
  "a build with arguments": [
    `${context({ Dockerfile: `FROM ${base}\nARG A\nRUN echo $A >/a\nCMD cat /a\n` })}; $E build --build-arg A=given -t localhost/args . >/dev/null 2>&1; $E run --rm localhost/args; $E rmi localhost/args >/dev/null`,
    "given\n",
  ],
  "a build leaves out what .dockerignore names": [
    `${build("localhost/less", `FROM ${base}\nCOPY . /all\nCMD ls /all\n`, { kept: "", secret: "", ".dockerignore": "secret\n.dockerignore\nDockerfile\n" })} >/dev/null 2>&1; $E run --rm localhost/less; $E rmi localhost/less >/dev/null`,
    "kept\n",
  ],
  "an image whose user is not root, with files of its own": [
    `${build("localhost/user", `FROM ${base}\nRUN echo "app:x:2000:2000::/app:/bin/sh" >>/etc/passwd; mkdir /app; chown 2000:2000 /app\nUSER app\nCMD touch /app/x; id -un; stat -c %u /app/x\n`)} >/dev/null 2>&1; $E run --rm localhost/user; $E rmi localhost/user >/dev/null`,
    "app\n2000\n",
  ],
  "a build that fails says where": [
    `${build("localhost/bad", `FROM ${base}\nRUN exit 9\n`)} 2>&1 | grep -c 'exit.*9'`,
    /^[1-9]\n$/,
  ],
  "save and load": [
    `$E tag ${base} localhost/saved; $E save -o ~/saved.tar localhost/saved; $E rmi localhost/saved >/dev/null; $E load -i ~/saved.tar >/dev/null; $E run --rm localhost/saved echo loaded; $E rmi localhost/saved >/dev/null`,
    "loaded\n",
  ],
  "commit, export and import": [
    `$E run --name c ${base} touch /made; $E commit c localhost/made >/dev/null 2>&1; $E rm c >/dev/null; $E run --rm localhost/made ls /made; $E create --name x localhost/made >/dev/null; $E export x | $E import - localhost/flat >/dev/null 2>&1; $E rm x >/dev/null; $E run --rm localhost/flat ls /made; $E rmi localhost/made localhost/flat >/dev/null`,
    "/made\n/made\n",
  ],
  "what an image is made of": [
    `$E history --format '{{.Comment}}' ${base} | wc -l; $E inspect -f '{{.Os}}' ${base}`,
    /^[1-9]\d*\nlinux\n$/,
  ],
};

const networks: Rows = {
  "a network with names": [
    `$E network create net >/dev/null; $E run -d --name web --network net ${base} sh -c 'mkdir /w; echo served >/w/index.html; exec httpd -f -p 80 -h /w' >/dev/null; sleep 1; $E run --rm --network net ${base} wget -qO- http://web/; $E rm -f web >/dev/null; $E network rm net >/dev/null`,
    "served\n",
  ],
  "a port on the container's own address": [
    `$E run -d --name port -p 8080:80 ${base} sh -c 'mkdir /w; echo published >/w/index.html; exec httpd -f -p 80 -h /w' >/dev/null; sleep 1; curl -sS http://127.0.0.1:8080/; $E port port; $E rm -f port >/dev/null`,
    /^published\n80\/tcp -> 0\.0\.0\.0:8080\n/,
  ],
  "the pod's own network": [
    `$E run -d --name host --network host ${base} sh -c 'mkdir /w; echo host >/w/index.html; exec httpd -f -p 8081 -h /w' >/dev/null; sleep 1; curl -sS http://127.0.0.1:8081/; $E rm -f host >/dev/null`,
    "host\n",
  ],
  "no network": [`$E run --rm --network none ${base} awk 'NR > 2 { print $1 }' /proc/net/dev`, "lo:\n"],
};

/** Without control groups of their own: what is refused, and what is taken and does nothing. */
const limits: Rows = {
  "a limit of processes has no effect": [
    `$E run --rm --pids-limit 2 ${base} sh -c 'for i in 1 2 3 4 5; do sleep 1 & done; wait; echo all'`,
    "all\n",
  ],
  "a limit of memory has no effect": [
    `$E run --rm --memory 8m ${base} sh -c 'dd if=/dev/zero bs=32M count=1 2>/dev/null | wc -c' 2>/dev/null`,
    "33554432\n",
  ],
  "refused: a pause": [
    `$E run -d --name pause ${base} sh -c 'trap exit TERM; sleep 600 & wait' >/dev/null; $E pause pause; $E rm -f pause >/dev/null`,
    /cannot pause without using Cgroups: this container does not have a cgroup\n$/,
  ],
  "refused: a list of its processes from outside, not from inside": [
    `$E run -d --name top ${base} sh -c 'trap exit TERM; sleep 612 & wait' >/dev/null; $E top top; $E exec top ps | grep -c 'sleep 612$'; $E rm -f top >/dev/null`,
    /cannot run top on container [0-9a-f]+ as it did not create a cgroup: this container does not have a cgroup\n1\n$/,
  ],
  "refused: a device that the pod has not": [
    `ls /dev/fuse; $E run --rm --device /dev/fuse ${base} true`,
    /stat \/dev\/fuse: no such file or directory/,
  ],
  "health is looked at when someone asks": [
    `podman run -d --name health --health-cmd true ${base} sh -c 'trap exit TERM; sleep 600 & wait' >/dev/null; sleep 1; podman inspect -f '{{.State.Health.Status}}' health; podman healthcheck run health; podman inspect -f '{{.State.Health.Status}}' health; podman rm -f health >/dev/null`,
    "starting\nhealthy\n",
    "podman",
  ],
  "privileged is the pod's capabilities, and no more": [
    `$E run --rm --privileged ${base} sh -c 'mkdir /m && mount -t tmpfs none /m && echo mounted; ls /dev/vda /dev/sda; mknod /vda b 254 0'`,
    /^mounted\n(ls: .*No such file or directory\n){2}mknod: .*not permitted\n$/i,
  ],
  "refused: the processes of the pod, `--pid host`": [
    `$E run --rm --pid host ${base} true`,
    /containers not creating Cgroups must create a private PID namespace/,
  ],
};

const groups: Readonly<Record<string, Rows>> = {
  "Running one": running,
  "One that runs": living,
  Volumes: volumes,
  Images: images,
  Networks: networks,
  "Refused, or without effect": limits,
};

const rowsOf = (rows: Rows) =>
  Object.entries(rows).map(
    ([name, [script, says, by]]): EngineRow => ({ name, script, says, ...(by && { by }) }),
  );

export const engineRows: readonly EngineRow[] = Object.values(groups).flatMap(rowsOf);

/** The rows as the page shows them. */
export function engineTable(): string {
  const mark = ({ by }: EngineRow, command: EngineRow["by"]) =>
    by === undefined || by === command ? "yes" : "";
  return [
    "| | `podman` | `docker` |",
    "|---|---|---|",
    ...Object.entries(groups).flatMap(([group, rows]) => [
      `| **${group}** | | |`,
      ...rowsOf(rows).map((one) => `| ${one.name} | ${mark(one, "podman")} | ${mark(one, "docker")} |`),
    ]),
  ].join("\n");
}
