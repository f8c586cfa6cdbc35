/** The command on the laptop: as a ProxyCommand beside others, and for many containers. */

import { withCleanup } from "../cleanup.ts";
import { greeted, proxyCommands } from "../client/greeting.ts";
import { ClientLaptop } from "../client/laptop.ts";
import type { Samples, Scenario } from "../scenario.ts";
import { Recorder } from "../support/samples.ts";

const sizes = [10, 100, 1000];
const runs = 5;
const greetings = 15;
/** `doctor` logs in to one after the other: more than these only in full runs, which are for that alone, and once. */
const mostForDoctor = 10;

async function run(progress: (line: string) => void, full: boolean): Promise<Samples> {
  return withCleanup(async (later) => {
    const laptop = await ClientLaptop.create(Math.max(...sizes), later);
    const recorder = new Recorder();
    if (!full) {
      await greet(laptop, recorder);
      progress("greetings");
    }
    for (const size of full ? sizes.filter((size) => size > mostForDoctor) : sizes) {
      for (let round = 1; round <= (full ? 1 : runs); round++) {
        await measure(laptop, size, full || size <= mostForDoctor, recorder);
      }
      progress(`${size} containers`);
    }
    return recorder.samples;
  });
}

async function greet(laptop: ClientLaptop, recorder: Recorder): Promise<void> {
  const commands = proxyCommands(laptop, "dev0.team-0.dev.example.com");
  // The first of each reads its program from the disk.
  for (let round = 0; round <= greetings; round++) {
    for (const [rival, command] of Object.entries(commands)) {
      const { seconds, resident } = await greeted(command, laptop.cli.env);
      if (round === 0) continue;
      recorder.add(rival, "greeting", seconds);
      recorder.add(rival, "proxy_resident", resident);
    }
  }
}

async function measure(
  laptop: ClientLaptop,
  size: number,
  withDoctor: boolean,
  recorder: Recorder,
): Promise<void> {
  const add = (figure: string, seconds: number) => recorder.add("drawbridge", `${figure}_${size}`, seconds);
  await laptop.forget();
  const words = ["ssh-config", "--from", "-", "--identity", laptop.sshd.userKey];
  add("ssh_config", (await laptop.time(words, laptop.outputs(size))).seconds);
  const list = await laptop.time(["list"]);
  const answering = list.stdout.split("gateway answers\n").length - 1;
  if (answering !== size) throw new Error(`${answering} of ${size} answer: ${list.stdout}`);
  add("list", list.seconds);
  if (withDoctor) add("doctor", (await laptop.time(["doctor"])).seconds);
}

export const client: Scenario = {
  name: "client",
  title: `drawbridge proxy until sshd's greeting, ${greetings} times, beside nc and proxytunnel; ssh-config, list and doctor (of more than ${mostForDoctor}: --full) with ${sizes.join(", ")} containers, one gateway and one sshd on loopback`,
  run: (progress) => run(progress, false),
  runFull: (progress) => run(progress, true),
};
