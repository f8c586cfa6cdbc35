/** What `drawbridge list` asks over the network: each way into a container, and the address of each storage. */

import { readFile } from "node:fs/promises";
import http from "node:http";
import https from "node:https";
import { viaOf } from "@drawbridge-iac/drawbridge/src/host/client-texts/proxy-command";
import type { SshWay } from "@drawbridge-iac/drawbridge/src/host/client-texts/target";
import type { Finding } from "../doctor/finding.ts";
import { walk } from "../doctor/walk.ts";
import type { KnownTarget } from "../known-stacks.ts";
import { agentFor } from "../proxy/outward-agent.ts";
import { parseVia } from "../proxy/via.ts";
import { hasKubeconfig } from "../sshpod/kube.ts";
import { tlsOn } from "../targets.ts";

interface WayState {
  readonly way: SshWay["way"];
  readonly answers: boolean;
  /** Whether this laptop lacks what the way needs; the container is not at fault. */
  readonly off: boolean;
  /** The step at which the way fails, and why; undefined where sshd answers. */
  readonly fault: Pick<Finding, "step" | "text" | "status"> | undefined;
}

/** Tries all ways at once; the result has them in the order in which a client tries them. */
export function wayStates(known: Pick<KnownTarget, "target" | "tls">): Promise<WayState[]> {
  const { target } = known;
  const { hostName, port } = target;
  return Promise.all(
    target.ways.map(async (way) => {
      const findings = await walk(parseVia(viaOf(way)), { hostName, port, tls: tlsOn(way, known) });
      const fault = findings.find(({ ok }) => !ok);
      return {
        way: way.way,
        answers: fault === undefined,
        off: isOff(way),
        fault: fault && { step: fault.step, text: fault.text, status: fault.status },
      };
    }),
  );
}

/** Whether this laptop lacks what the way needs: a kubeconfig, which most people do not have. */
export const isOff = ({ way }: Pick<SshWay, "way">) => way === "sshpod" && !hasKubeconfig();

/** The states in one line, such as `gateway answers, frp: no answer (TCP)`, or `gateway says 404` for a way that refuses. */
export function waysText(states: readonly WayState[]): string {
  const text = ({ way, off, fault }: WayState) => {
    if (fault === undefined) return `${way} answers`;
    if (off) return `${way} needs a kubeconfig`;
    return fault.status ? `${way} says ${fault.status}` : `${way}: no answer (${fault.step})`;
  };
  return states.map(text).join(", ");
}

const answerTimeoutMs = 10_000;

/**
 * What a storage's address answers, asked without a credential.
 * @param caFile PEM file of the proxy's authority; by default the system's authorities
 */
export async function storageAnswer(url: string | undefined, caFile: string | undefined): Promise<string> {
  if (url === undefined) return "no file server";
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
      { method: "HEAD", timeout: answerTimeoutMs, agent: agentFor(url), ...ca },
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

/** A storage that is there says 401. */
function meaningOf(status: number): string {
  if (status === 401) return "answers";
  if (status === 404) return "unknown to the proxy";
  if (status === 503) return "not served now";
  return `unexpected answer ${status}`;
}
