/** Fifty removals of someone with connections open, who does not want to go: another pod ends each of them. */
import { type ChildProcess, spawn } from "node:child_process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type CounterSession, eventually, Laptop } from "../../scripts/lib/lab/lab.ts";
import { ContainerStack, type Containers } from "../support/stacks/containers.ts";

const team = "team-removals";
const names = Array.from({ length: 10 }, (_, index) => `c${index}`);
let stack: ContainerStack;
let bob: Laptop;
/** Whose key no stack has: bob lets in anyone who holds it. */
let friend: Laptop;
let bystander: CounterSession;
let validFrom: string | undefined;

const now = () => new Date().toISOString().replace(/\.\d+/, "");

/** Everybody's containers, with bob's key or without it; the bystander's has nothing to do with him. */
function containers(withBob: boolean): Containers {
  const authorizedKeys = [stack.laptop.publicKey, ...(withBob ? [bob.publicKey] : [])];
  const resources = { requests: { cpu: "10m" }, memory: "256Mi" };
  const own = {
    authorizedKeys,
    resources,
    ...(validFrom === undefined ? {} : { ssh: { sessionsValidFrom: validFrom } }),
  };
  return { ...Object.fromEntries(names.map((name) => [name, own])), bystander: { resources } };
}

beforeAll(async () => {
  stack = await ContainerStack.create(team, "gw-removals");
  bob = await Laptop.create("bob");
  friend = await Laptop.create("friend");
  await stack.up(containers(true));
  for (const laptop of [bob, friend]) {
    const all = (field: "sshConfig" | "knownHosts") =>
      names.map((name) => stack.outputs[name]?.[field] ?? "").join("\n");
    await laptop.configure(all("sshConfig"), all("knownHosts"));
  }
  await stack.ready("bystander");
  bystander = stack.laptop.openCounter("bystander");
  await bystander.reached(5, 90);
});

afterAll(async () => {
  await bystander?.close();
  await stack.close();
  await bob.remove();
  await friend.remove();
});

const count = "i=0; while :; do i=$((i+1)); echo $i; sleep 0.1; done";

/** What bob has open: each is a process of his laptop that goes on receiving bytes. */
const habits: Record<string, (name: string) => string[]> = {
  "a shell": (name) => [name, count],
  "a session that ignores every signal": (name) => [name, `trap '' HUP INT TERM PIPE; ${count}`],
  // The forward carries what a program in the background sends.
  "a forward alone": (name) => ["-N", "-L", `${20_000 + Number(name.slice(1))}:127.0.0.1:9999`, name],
  "a multiplexed connection": (name) => ["-M", "-S", `${bob.folder}/mux-${name}`, name, count],
  "one who stops and kills what would end him": (name) => [
    name,
    `for p in /proc/[0-9]*; do p=\${p#/proc/}; [ $p = $$ ] || grep -q sshd /proc/$p/comm 2>/dev/null || kill -STOP $p; done; ${count}`,
  ],
  "one who makes himself anew": (name) => [name, `setsid sh -c 'trap "" TERM; ${count}' & ${count}`],
};

/** A process and what it has received so far. */
interface Open {
  readonly child: ChildProcess;
  bytes: number;
  ended: boolean;
}

function open(args: readonly string[]): Open {
  const child = spawn("ssh", ["-F", bob.configFile, ...args], {
    env: { ...process.env, ...bob.env },
    stdio: "pipe",
  });
  const one: Open = { child, bytes: 0, ended: false };
  child.stdout.on("data", (chunk: Buffer) => {
    one.bytes += chunk.length;
  });
  child.once("close", () => {
    one.ended = true;
  });
  return one;
}

/** sshd's own configuration, changed by who is the same user, and read again. */
const letFriendIn = () => `k=/run/drawbridge/sshd_config
echo '${friend.publicKey}' >~/.friends
{ echo "AuthorizedKeysFile $HOME/.friends"; cat $k; } >$k.new && mv $k.new $k
mkdir -p ~/.ssh && echo 'date >>~/rc-ran' >~/.ssh/rc
for p in $(cat /proc/1/task/1/children); do ! grep -q sshd /proc/$p/comm || kill -HUP $p; done`;

const logsIn = async (laptop: Laptop, name: string) => (await laptop.ssh([name, "true"])).code === 0;

it.each([1, 2, 3, 4, 5])("round %i: ten removals", async (round) => {
  if (round > 1) await stack.up(containers(true));
  for (const name of names) await eventually(`bob's login to ${name}`, () => logsIn(bob, name), 150);
  const kinds = Object.values(habits);
  const all = names.map((name, index) =>
    open((kinds[(index + round) % kinds.length] ?? kinds[0])?.(name) ?? []),
  );
  await eventually("bob's sessions", async () => all.filter(({ bytes }) => bytes > 20).length >= 8);
  const [first = ""] = names;
  await bob.ssh([first, letFriendIn()]);
  await eventually("a login by a key that no stack has", () => logsIn(friend, first), 30);

  validFrom = now();
  await stack.up(containers(false));
  await eventually("the end of all that was bob's", async () => all.every(({ ended }) => ended), 10);
  for (const name of names) {
    expect(await logsIn(bob, name)).toBe(false);
    expect(await stack.output(name, "id -un; test -e ~/rc-ran || echo no rc")).toBe("jovyan\nno rc\n");
  }
  expect(await logsIn(friend, first)).toBe(false);
  expect({ alive: bystander.alive, unbroken: bystander.unbroken }).toEqual({ alive: true, unbroken: true });
});
