/** A way to a storage that takes the browser's policy away: it shows whether an attack would work without it. */
import { createServer, request as plain } from "node:http";
import { request as secure } from "node:https";
import type { AddressInfo } from "node:net";

const policy = ["content-security-policy", "cross-origin-opener-policy", "x-frame-options"];

/**
 * Passes requests on to `origin` at `address`, and answers without the headers of the policy.
 * @returns its own origin, and how to end it
 */
export async function withoutPolicy(origin: string, address: string) {
  const target = new URL(origin);
  const send = target.protocol === "https:" ? secure : plain;
  const server = createServer((request, response) => {
    const headers = { ...request.headers, host: target.host };
    if (headers.origin !== undefined) headers.origin = target.origin;
    const onward = send(
      {
        host: address,
        servername: target.host,
        port: target.port || (target.protocol === "https:" ? 443 : 80),
        method: request.method,
        path: request.url,
        headers,
        rejectUnauthorized: false,
      },
      (answer) => {
        const kept = Object.entries(answer.headers).filter(([name]) => !policy.includes(name));
        response.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept));
        answer.pipe(response);
      },
    );
    onward.on("error", () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}
