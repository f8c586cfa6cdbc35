/**
 * Sixty habits of people who know OpenSSH, by unmodified clients: what they type on the laptop, the exit code, and what
 * comes out. In one container, one after the other.
 */
import { chmod, mkdir, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Outcome, shell } from "../../scripts/lib/lab/lab.ts";
import { ContainerStack } from "../support/stacks/containers.ts";

let stack: ContainerStack;
let folder: string;

beforeAll(async () => {
  stack = await ContainerStack.create("team-habits", "gw-habits");
  await stack.up({ dev: {}, forge: {} });
  folder = join(stack.laptop.folder, "files");
  await mkdir(join(folder, "private"), { recursive: true });
  await writeFile(join(folder, "private", "key"), "secret\n", { mode: 0o600 });
  await writeFile(join(folder, "tool"), "#!/bin/sh\necho ran\n", { mode: 0o755 });
  await writeFile(join(folder, "a name; $(with) ü"), "odd\n");
  await symlink("tool", join(folder, "link"));
  await chmod(join(folder, "private"), 0o700);
  await chmod(folder, 0o755);
  await utimes(join(folder, "tool"), 1_000_000_000, 1_000_000_000);
});
afterAll(() => stack.close());

/** The clients as they are typed; only the file of settings is named, since the user's own is not to be touched. */
const settings = `for one in ssh scp sftp; do eval "$one() { command $one -F \\"$F\\" \\"\\$@\\"; }"; done
export RSYNC_RSH="ssh -F $F" GIT_SSH_COMMAND="ssh -F $F"
unset SSH_AUTH_SOCK
await() { for _ in $(seq 100); do "$@" >/dev/null 2>&1 && return; sleep 0.1; done; echo "in vain: $*"; }
beside() { "$@" </dev/null >/dev/null 2>&1 & trap "kill $! 2>/dev/null || :" EXIT; }
`;

const typed = (lines: string): Promise<Outcome> =>
  shell(settings + lines, {
    env: {
      ...stack.laptop.env,
      F: stack.laptop.configFile,
      FROM: folder,
      K: stack.laptop.keyFile,
      T: stack.laptop.folder,
    },
    timeoutSeconds: 60,
  });

const sent =
  "ssh dev 'stat -c \"%a %U:%G %n\" private private/key tool; stat -c %Y tool; ./tool; readlink link || echo; cat private/key; rm -rf private tool link a*'";
/** @param link where the link leads; empty if the client follows it */
const asSent = (link = "") =>
  `700 jovyan:jovyan private\n600 jovyan:jovyan private/key\n755 jovyan:jovyan tool\n1000000000\nran\n${link}\nsecret\n`;

// What proxytunnel says when ssh ends before it.
const ofProxytunnel = "select error: Interrupted system call\n";

/** What is typed, what it prints, and its exit code if that is not 0. */
type Habit = readonly [habit: string, lines: string, stdout: string, code?: number];

const habits: readonly Habit[] = [
  // ssh itself
  ["a command", "ssh dev whoami", "jovyan\n"],
  ["another user's name", "ssh root@dev true 2>/dev/null", "", 255],
  ["an exit code", "ssh dev exit 42", "", 42],
  ["a signal", "ssh dev 'kill -TERM $$'", "", 255],
  ["a command that is not there", "ssh dev no-such-command 2>/dev/null", "", 127],
  ["quotes", `ssh dev 'printf "%s|" "a b" c'`, "a b|c|"],
  ["a script by standard input", "echo 'echo $((6 * 7))' | ssh dev sh", "42\n"],
  ["a here document", "ssh dev sh -s one <<'END'\necho $1\nEND\n", "one\n"],
  ["standard error apart", "ssh dev 'echo out; echo err >&2' 2>/dev/null", "out\n"],
  ["no input (-n)", "ssh -n dev cat", ""],
  [
    "in the background (-f)",
    'ssh -f dev "echo later >~/f"; await ssh dev test -s f; ssh dev cat f',
    "later\n",
  ],
  ["quiet (-q) and batch mode", "ssh -q -o BatchMode=yes dev echo in", "in\n"],
  ["verbose (-v)", "ssh -v dev true 2>&1 | grep -c '^Authenticated to'", "1\n"],
  ["a terminal (-tt)", "ssh -tt dev 'test -t 0 && echo tty' </dev/null 2>/dev/null | tr -d '\\r'", "tty\n"],
  ["a variable (SetEnv)", "ssh -o SetEnv=LC_HABIT=1 dev 'echo ${LC_HABIT-none}'", "1\n"],
  ["a login shell", "ssh dev 'bash -lc \"echo \\$HOME\"'", "/home/jovyan\n"],
  ["compression (-C)", "ssh -C dev 'seq 100000 | sha256sum' | cut -c1-8", "b2bc7d3f\n"],
  ["what ssh would do (-G)", "ssh -TG dev | grep -c '^stricthostkeychecking true'", "1\n"],
  [
    "twenty at once",
    'for i in $(seq 20); do ssh dev "echo $i" & done | sort -n | tr "\\n" " "; wait',
    `${Array.from({ length: 20 }, (_, i) => i + 1).join(" ")} `,
  ],
  ["one after the other in a loop", "for i in 1 2 3 4 5; do ssh dev echo $i; done", "1\n2\n3\n4\n5\n"],
  [
    "a program left running (nohup)",
    "ssh dev 'nohup sleep 300 >/dev/null 2>&1 & echo $! >p'; ssh dev 'kill $(cat p) && echo ran'",
    "ran\n",
  ],
  ["the date, in a pipe of two hosts", "ssh dev 'echo hi' | ssh forge cat", "hi\n"],
  ["megabytes through a pipe", "head -c 20000000 /dev/zero | ssh dev 'wc -c'", "20000000\n"],
  ["megabytes back", "ssh dev 'head -c 20000000 /dev/zero' | wc -c", "20000000\n"],
  // one connection for many
  [
    "a master",
    'ssh -o ControlMaster=yes -o ControlPath="$T/c" -fN dev && ssh -o ControlPath="$T/c" -O check dev 2>&1 | grep -c running',
    "1\n",
  ],
  ["a session in it", 'ssh -o ControlPath="$T/c" dev echo in', "in\n"],
  [
    "a forward in it",
    'ssh -o ControlPath="$T/c" -O forward -L 18771:localhost:22 dev; nc -w 3 127.0.0.1 18771 </dev/null | cut -c1-7',
    "SSH-2.0\n",
  ],
  ["its end", 'ssh -o ControlPath="$T/c" -O exit dev 2>/dev/null; test ! -e "$T/c" && echo gone', "gone\n"],
  // forwards
  [
    "-L",
    "beside ssh -NL 18772:localhost:22 dev; await nc -z 127.0.0.1 18772; nc -w 3 127.0.0.1 18772 </dev/null | cut -c1-7",
    "SSH-2.0\n",
  ],
  [
    "-L to a socket",
    'beside ssh -NL "$T/s:localhost:22" dev; await test -S "$T/s"; nc -w 3 -U "$T/s" </dev/null | cut -c1-7',
    "SSH-2.0\n",
  ],
  [
    "-R",
    "beside nc -l 127.0.0.1 18773; ssh -R 18774:127.0.0.1:18773 dev 'nc -z 127.0.0.1 18774 2>/dev/null && echo through'",
    "through\n",
  ],
  [
    "-D",
    "beside ssh -ND 18775 dev; await nc -z 127.0.0.1 18775; nc -w 3 -X 5 -x 127.0.0.1:18775 localhost 22 </dev/null | cut -c1-7",
    "SSH-2.0\n",
  ],
  ["-W", "(sleep 2) | ssh -W localhost:22 dev | head -c 7 || true", "SSH-2.0"],
  [
    "a refused forward ends it",
    "ssh -o ExitOnForwardFailure=yes -NL 1:localhost:22 -L /no/such/s:localhost:1 dev 2>/dev/null",
    "",
    255,
  ],
  // the agent, and hosts behind hosts
  [
    "an agent (-A)",
    'eval "$(ssh-agent -s)" >/dev/null; ssh-add -q "$K"; ssh -A dev "ssh-add -l | wc -l"; ssh-agent -k >/dev/null',
    "1\n",
  ],
  ["no agent unless asked", "ssh dev 'echo ${SSH_AUTH_SOCK-none}'", "none\n"],
  [
    "ProxyJump between containers is refused",
    "ssh -o ConnectTimeout=5 -J dev forge true 2>/dev/null",
    "",
    255,
  ],
  [
    "a host of one's own through one (ProxyCommand -W)",
    'echo "ok" | ssh -o ProxyCommand="ssh -F $F -W localhost:22 dev" -o HostKeyAlias=dev.team-habits.dev.example.com dev cat',
    "ok\n",
  ],
  // files
  ["rsync -a", `rsync -a "$FROM"/ dev: && ${sent}`, asSent("tool")],
  ["rsync again sends nothing", 'rsync -a "$FROM"/ dev:r/ && rsync -ain "$FROM"/ dev:r/', ""],
  [
    "rsync --delete",
    'ssh dev "touch r/old"; rsync -ai --delete "$FROM"/ dev:r/ | grep deleting',
    "*deleting   old\n",
  ],
  ["rsync back", 'rsync -a dev:r/ "$T/back/" && diff -r "$FROM" "$T/back" && echo same', "same\n"],
  ["rsync of an odd name", `rsync -a "$FROM/a name; \\$(with) ü" dev:r/ && ssh dev 'cat r/a*'`, "odd\n"],
  ["tar by a pipe", `tar -C "$FROM" -cf - . | ssh dev 'tar -xf - -C ~' && ${sent}`, asSent("tool")],
  ["tar back", "ssh dev 'tar -cf - -C r .' | tar -tf - | grep -c tool", "1\n"],
  [
    "cp -a inside",
    `rsync -a "$FROM"/ dev:/tmp/x && ssh dev 'cp -a /tmp/x/. ~/ && rm -r /tmp/x' && ${sent}`,
    asSent("tool"),
  ],
  ["scp -rp", `scp -qrp "$FROM"/. dev: && ${sent}`, asSent()],
  ["scp -O, the old protocol", `scp -qOrp "$FROM"/private "$FROM"/tool dev: && ${sent}`, asSent()],
  ["scp back", 'ssh dev "echo b >b"; scp -q dev:b "$T/b" && cat "$T/b"', "b\n"],
  [
    "scp of a pattern",
    'ssh dev "touch p1 p2"; mkdir "$T/p"; scp -q "dev:p[12]" "$T/p" && ls "$T/p"',
    "p1\np2\n",
  ],
  ["scp between two hosts (-3)", "scp -3 -q dev:b forge:b && ssh forge cat b", "b\n"],
  ["scp of what is not there", 'scp -q dev:nothing "$T/n" 2>/dev/null', "", 1],
  ["sftp put", `printf 'put -rp %s/. .\\n' "$FROM" | sftp -qb - dev >/dev/null && ${sent}`, asSent()],
  [
    "sftp get, rename, chmod, rm",
    "printf 'rename b c\\nchmod 600 c\\nls -l c\\nrm c\\n' | sftp -qb - dev | grep -c '^-rw------- '",
    "1\n",
  ],
  [
    "sftp resumes (reput)",
    'ssh dev "printf he >h"; printf hello >"$T/h"; printf "reput %s h\\n" "$T/h" | sftp -qb - dev >/dev/null; ssh dev cat h',
    "hello",
  ],
  // git
  [
    "git init and status in the home",
    "ssh dev 'git init -q && git status --short >/dev/null && echo clean; rm -rf .git'",
    "clean\n",
  ],
  [
    "git push and clone",
    'ssh dev git init -q --bare -b main one.git; git init -q -b main "$T/w" && cd "$T/w" && git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m one && git push -q dev:one.git main && git clone -q dev:one.git "$T/v" && git -C "$T/v" log --format=%s',
    "one\n",
  ],
  ["git over ssh://", "git ls-remote --heads ssh://dev/home/jovyan/one.git | cut -f2", "refs/heads/main\n"],
  // work
  [
    "tmux outlives its session",
    "ssh dev 'tmux new -d -s w \"sleep 300\"'; ssh dev 'tmux ls -F \"#S\"; tmux kill-server'",
    "w\n",
  ],
  [
    "an editor's server: started, left, found by a port forward",
    "ssh dev 'nohup python3 -m http.server 8770 --bind 127.0.0.1 --directory /etc/ssh >/dev/null 2>&1 & sleep 1'; beside ssh -NL 18776:127.0.0.1:8770 dev; await nc -z 127.0.0.1 18776; await curl -sf http://127.0.0.1:18776/; curl -s http://127.0.0.1:18776/ssh_config | grep -c '^Host \\*'",
    "1\n",
  ],
  ["vim's netrw, cat and tee", "ssh dev 'printf x >n'; ssh dev cat n; echo y | ssh dev tee n", "xy\n"],
  ["chmod 700 ~, and ssh goes on", "ssh dev 'chmod 700 ~ && stat -c %a ~'", "700\n"],
  [
    "ssh-keygen in the home",
    "ssh dev \"mkdir -pm 700 .ssh && ssh-keygen -qt ed25519 -N '' -f .ssh/id && stat -c %a .ssh/id\"",
    "600\n",
  ],
  [
    "a Debian package is built",
    "ssh dev 'mkdir -p d/DEBIAN && printf \"Package: p\\nVersion: 1\\nArchitecture: all\\nMaintainer: a <a@example.com>\\nDescription: p\\n\" >d/DEBIAN/control && dpkg-deb --build d d.deb >/dev/null 2>&1 && dpkg-deb -f d.deb Version'",
    "1\n",
  ],
  ["a virtual environment of Python", "ssh dev 'python3 -m venv v && v/bin/python -c \"print(1)\"'", "1\n"],
  [
    "ssh-keyscan sees the pinned key",
    "ssh -o ControlPath=none dev \"ssh-keyscan -t ed25519 localhost 2>/dev/null | grep -v '^#' | cut -d' ' -f2\"",
    "ssh-ed25519\n",
  ],
];

it("there are sixty of", () => {
  expect(new Set(habits.map(([habit]) => habit)).size).toBe(habits.length);
  expect(habits.length).toBeGreaterThanOrEqual(60);
});

const all = habits.map(([habit, lines, stdout, code = 0]) => ({ habit, lines, stdout, code }));

it.each(all)("$habit", async ({ lines, stdout, code }) => {
  const { stderr, ...outcome } = await typed(lines);
  expect({ ...outcome, stderr: stderr.replace(ofProxytunnel, "") }).toEqual({ code, stdout, stderr: "" });
});
