/** `drawbridge doctor NAME`: walks every way to a container and says in plain words what is wrong. */
import { canGo, viaOf } from "@drawbridge-iac/manifests";
import { CliError, ExitCode } from "../cli-error.ts";
import { type Finding, findingLine } from "../doctor/finding.ts";
import { explainLogin, tryLogin } from "../doctor/login.ts";
import { walk } from "../doctor/walk.ts";
import { parseVia } from "../proxy/via.ts";
import { sshFiles, sshOptions } from "../ssh-files.ts";
import { readSaved, targetCalled, tlsOn } from "../targets.ts";

export interface DoctorFlags {
  readonly way?: string;
}

/** Prints as it goes; returns whether at least one way leads to a login. */
export async function doctor(
  alias: string,
  flags: DoctorFlags,
  print: (line: string) => void,
): Promise<boolean> {
  const saved = await readSaved(sshFiles());
  const target = targetCalled(saved, alias);
  const ways = target.ways.filter((way) => flags.way === undefined || way.way === flags.way);
  if (ways.length === 0) {
    const known = target.ways.map(({ way }) => way).join(", ");
    throw new CliError(
      `${alias} has no way in that is called ${JSON.stringify(flags.way)}; it has: ${known}`,
      ExitCode.usage,
    );
  }
  const several = target.ways.filter((way) => canGo("drawbridge", way)).length > 1;
  let open = 0;
  for (const way of ways) {
    print(`${alias} by ${way.way} (${viaOf(way)})`);
    const tell = (finding: Finding) => print(findingLine(finding));
    const { hostName, port } = target;
    const findings = await walk(parseVia(viaOf(way)), { hostName, port, tls: tlsOn(way, saved) }, tell);
    if (findings.some(({ ok }) => !ok)) continue;
    const tried = await tryLogin(several ? `${alias}.${way.way}` : alias, sshOptions());
    const last = explainLogin(tried, target);
    last.forEach(tell);
    if (last.every(({ ok }) => ok)) open++;
  }
  print(open === ways.length ? "all is well" : `${open} of ${ways.length} ways lead to a login`);
  return open > 0;
}
