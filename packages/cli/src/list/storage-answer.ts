/** Whether a storage's address answers now. No credential is sent. */
import { readFile } from "node:fs/promises";
import http from "node:http";
import https from "node:https";

const answerTimeoutMs = 10_000;

/** @param caFile authority of the proxy's certificate; the system's without it */
export async function storageAnswer(url: string | undefined, caFile: string | undefined): Promise<string> {
  if (url === undefined) return "no accessor";
  try {
    const ca = caFile === undefined ? {} : { ca: await readFile(caFile) };
    return meaningOf(await statusOf(url, ca));
  } catch (error) {
    return `no answer (${(error as Error).message})`;
  }
}

function statusOf(url: string, ca: { ca?: Buffer }): Promise<number> {
  return new Promise((resolve, reject) => {
    const client = url.startsWith("https:") ? https : http;
    const sent = client.request(
      url,
      { method: "HEAD", timeout: answerTimeoutMs, agent: false, ...ca },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    sent.on("timeout", () => sent.destroy(new Error(`nothing within ${answerTimeoutMs / 1000} s`)));
    sent.on("error", reject);
    sent.end();
  });
}

/** Asked without a credential, a storage that is there says 401. */
function meaningOf(status: number): string {
  if (status === 401) return "answers";
  if (status === 404) return "unknown to the proxy";
  if (status === 503) return "not served now";
  return `unexpected answer ${status}`;
}
