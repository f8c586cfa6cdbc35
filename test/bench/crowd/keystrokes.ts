/** How long a byte takes to come back through a raw tunnel. */
import { once } from "node:events";
import { wait } from "../support/samples.ts";
import { openTunnel, type TunnelDoor } from "../support/tunnels.ts";

/** Types one byte after the other until `going` says no; the seconds that each took. */
export async function typeThrough(door: TunnelDoor, going: () => boolean): Promise<number[]> {
  const socket = await openTunnel(door);
  if (socket === undefined) throw new Error("the keystrokes' tunnel was refused");
  socket.setNoDelay(true);
  const times: number[] = [];
  try {
    while (going()) {
      const began = performance.now();
      socket.write("x");
      await once(socket, "data");
      times.push((performance.now() - began) / 1000);
      await wait(0.02);
    }
    return times;
  } finally {
    socket.destroy();
  }
}
