/** One TCP connection into a pod over the API's portforward endpoint, as a stream with back-pressure. */
import { Duplex } from "node:stream";
import type WebSocket from "ws";
import type { Kube } from "./kube.ts";
import type { Place } from "./pod.ts";

const channel = { data: 0, error: 1 } as const;

/** Connects to a loopback port inside the pod. */
export async function forwardPort(
  kube: Kube,
  place: Pick<Place, "namespace" | "pod">,
  port: number,
): Promise<Duplex> {
  const path = `/api/v1/namespaces/${place.namespace}/pods/${place.pod}/portforward?ports=${port}`;
  return channelStream(await kube.open(path, ["v4.channel.k8s.io"]), port);
}

function explain(fault: string, port: number): string {
  return /connection refused/i.test(fault)
    ? `nothing listens on port ${port} in the pod; its sshd has not started yet, or has ended`
    : `the pod does not accept a connection on port ${port}: ${fault}`;
}

function channelStream(socket: WebSocket, port: number): Duplex {
  const stream = new Duplex({
    read: () => socket.resume(),
    write(chunk: Buffer, _encoding, done) {
      socket.send(Buffer.concat([Buffer.of(channel.data), chunk]), (error) => done(error));
    },
    final(done) {
      socket.close();
      done();
    },
    destroy(error, done) {
      socket.terminate();
      done(error);
    },
  });
  // A fault may come while nobody listens for it; the stream keeps it for its next user.
  stream.on("error", () => undefined);
  const opened = new Set<number>();
  socket.on("message", (data: Buffer) => {
    const number = data[0] ?? -1;
    // Each channel begins with the port number in two bytes.
    const body = data.subarray(opened.has(number) ? 1 : 3);
    opened.add(number);
    if (body.length === 0) return;
    if (number === channel.error) stream.destroy(new Error(explain(body.toString().trim(), port)));
    else if (!stream.push(body)) socket.pause();
  });
  socket.on("error", (error) => stream.destroy(error));
  socket.on("close", () => stream.push(null));
  return stream;
}
