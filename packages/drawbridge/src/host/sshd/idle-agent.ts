/** What reports whether a container is idle (idle-agent.sh), its settings, and the command for people inside (idle.sh). */

import { idleAgentSh, idleSh } from "../../generated/programs.ts";
import { type Input, whenSettled } from "../../kit/input.ts";
import { filled } from "../../kit/program.ts";
import { quantityValue } from "../../kubernetes/quantity.ts";
import type { IdleParsed } from "../idle/args.ts";
import { reportMark } from "../idle/contract.ts";
import { reportEvery } from "../idle/plan.ts";
import { bundleShell } from "./bundle.ts";
import type { SshdPlan } from "./plan.ts";
import { sshdPaths } from "./sshd-config.ts";

/** The agent reads it again and again, so that a change needs no restart but where it is copied (`containersInside`). */
export const idleSettingsFile = "idle.conf";
/** The command for people inside. */
export const idleProgramFile = "idle";
export const idleProgram = `${sshdPaths.config}/${idleProgramFile}`;

const state = `${sshdPaths.run}/idle`;

export function idleSettingsText({ stopWarningSeconds }: SshdPlan, idle: IdleParsed): Input<string> {
  const { stopAfterSeconds, silentSessionSeconds, signals } = idle;
  return whenSettled({ stopAfterSeconds, silentSessionSeconds, signals, stopWarningSeconds }, (known) => {
    const millicores = Math.ceil((quantityValue(known.signals.cpuAbove) ?? 0) * 1000);
    return [
      `every=${reportEvery(known)}`,
      `silent=${known.silentSessionSeconds}`,
      `warning=${known.stopWarningSeconds}`,
      `cpu_above=${millicores}`,
      `traffic_above=${known.signals.trafficAboveBytesPerMinute}`,
      "",
    ].join("\n");
  });
}

/** Runs in the image's own sh, or the bundle's. */
export function idleAgentScript({ gatewayPorts, user }: SshdPlan): Input<string> {
  // The first one is sshd's.
  const ports = gatewayPorts.slice(1).map(({ port }) => port);
  return whenSettled({ ports, name: user.name }, ({ ports, name }) =>
    filled(idleAgentSh, {
      STATE: state,
      USER: name,
      PORTS: ports.map(hex).join(" "),
      CONFIG: sshdPaths.config,
      SETTINGS: idleSettingsFile,
      MARK: reportMark,
    }),
  );
}

const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, "0");

export function idleProgramText(plan: SshdPlan): string {
  const shell = plan.ssh.mode === "injected" ? bundleShell.join(" ") : "/bin/sh";
  return filled(idleSh, { SHELL: shell, STATE: state });
}
