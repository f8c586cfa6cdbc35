/**
 * A crowd of clients in a process of its own, so that what it does costs the measuring process nothing: idle tunnels, and
 * active ones that each send and get back a steady stream. Prints `ready`; when its input ends, how many tunnels it lost.
 */
import { openTunnels, type TunnelDoor } from "../support/tunnels.ts";

export interface Crowd {
  readonly door: TunnelDoor;
  readonly idle: number;
  readonly active: number;
  /** Of each active tunnel, each way. */
  readonly bytesPerSecond: number;
}

const { door, idle, active, bytesPerSecond }: Crowd = JSON.parse(process.argv[2] ?? "");
/** Each active tunnel sends ten times a second, a part of them in each step. */
const turnMs = 100;
const stepMs = 5;
const chunk = Buffer.alloc((bytesPerSecond * turnMs) / 1000, "drawbridge ");

const sockets = await openTunnels(() => door, idle + active);
const senders = sockets.slice(idle);
for (const socket of sockets) socket.resume();
let next = 0;
const perStep = (senders.length * stepMs) / turnMs;
let due = 0;
setInterval(() => {
  for (due += perStep; due >= 1; due--) {
    const socket = senders[next++ % senders.length];
    // A stream that is full waits for its next turn, as a person's does.
    if (socket !== undefined && !socket.destroyed && !socket.writableNeedDrain) socket.write(chunk);
  }
}, stepMs);
console.log("ready");
process.stdin.resume().once("end", () => {
  console.log(JSON.stringify({ lost: sockets.filter((socket) => socket.destroyed).length }));
  process.exit();
});
