/** A cluster's API on this machine, while a test runs. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { WebSocketServer } from "ws";
import { listening } from "../machine.fixture.ts";

/** A status with its body, 0 for one that breaks off after it; or the frames of a stream that stays open. */
export type Answer = readonly [status: number, body: string] | readonly Buffer[];

const nothing: Answer = [404, '{"message":"not found"}'];

const pod = "/api/v1/namespaces/team-a/pods/dev1-0";
const running = {
  metadata: { name: "dev1-0", uid: "u" },
  spec: { containers: [{ name: "dev" }] },
  status: { containerStatuses: [{ name: "dev", state: { running: {} } }] },
};
const forwarding = (answer: Answer): Record<string, Answer> => ({
  [pod]: [200, JSON.stringify(running)],
  [`${pod}/portforward`]: answer,
});

/** A pod that runs, and in which nothing listens on the port: each channel begins with the port's number. */
export const podWithoutSshd = forwarding([
  Buffer.of(0, 22, 0),
  Buffer.of(1, 22, 0),
  Buffer.from("\x01dial tcp4 127.0.0.1:22: connect: connection refused\n"),
]);

/** A pod that runs, and of which the API forwards no port. */
export const podBehind = (status: number, message: string) =>
  forwarding([status, JSON.stringify({ message })]);

/** Starts an API with these answers to paths with or without a query; returns its address and a kubeconfig that leads there. */
export async function startApi(answers: Readonly<Record<string, Answer>>) {
  const answerTo = (url = ""): Answer => {
    const path = decodeURIComponent(url).replaceAll("+", " ");
    return answers[path] ?? answers[path.split("?")[0] ?? ""] ?? nothing;
  };
  const server = http.createServer(({ url }, response) => {
    const [status, body] = answerTo(url);
    if (status !== 0) response.writeHead(Number(status)).end(body);
    else response.writeHead(200).write(String(body), () => response.destroy());
  });
  const streams = new WebSocketServer({ noServer: true });
  server.on("upgrade", (request, socket, head) => {
    const answer = answerTo(request.url);
    const [status, body] = answer;
    if (typeof status === "number") return socket.end(`HTTP/1.1 ${status} No\r\n\r\n${body}`);
    streams.handleUpgrade(request, socket, head, (stream) => {
      for (const frame of answer) stream.send(frame);
    });
  });
  const address = `http://127.0.0.1:${await listening(server)}`;
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-api-"));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
    for (const stream of streams.clients) stream.terminate();
    rmSync(folder, { recursive: true });
  });
  const cluster = { server: address, "insecure-skip-tls-verify": true };
  const config = {
    clusters: [{ name: "c", cluster }],
    users: [{ name: "u", user: {} }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  };
  const kubeconfig = join(folder, "kubeconfig");
  writeFileSync(kubeconfig, JSON.stringify(config));
  return { address, kubeconfig };
}
