/** `drawbridge list`: the containers that this laptop knows, and whether each answers now. */
import { ideLinks, viaOf } from "@drawbridge-iac/manifests";
import { walk } from "../doctor/walk.ts";
import { parseVia } from "../proxy/via.ts";
import { sshFiles } from "../ssh-files.ts";
import { type NamedTarget, readSaved, type Saved, tlsOn } from "../targets.ts";

export interface ListFlags {
  readonly names?: boolean;
  readonly links?: boolean;
  readonly json?: boolean;
}

export async function list(flags: ListFlags): Promise<string> {
  const saved = await readSaved(sshFiles());
  const known = saved.targets;
  if (flags.names) return known.map(({ alias }) => `${alias}\n`).join("");
  if (flags.links) return known.map(linksText).join("\n");
  const rows = await Promise.all(
    known.map(async (each) => ({ ...each, status: await statusOf(each, saved) })),
  );
  if (flags.json) {
    return `${JSON.stringify(
      rows.map(({ alias, target, status }) => ({ alias, hostName: target.hostName, status })),
      null,
      2,
    )}\n`;
  }
  return table([
    ["NAME", "USER", "HOST", "STATUS"],
    ...rows.map(({ alias, target, status }) => [alias, target.user, target.hostName, status]),
  ]);
}

/** The first way that leads to sshd, or why the first way does not. */
async function statusOf({ target }: NamedTarget, saved: Saved): Promise<string> {
  const { hostName, port } = target;
  let reason: string | undefined;
  for (const way of target.ways) {
    const findings = await walk(parseVia(viaOf(way)), { hostName, port, tls: tlsOn(way, saved) });
    const fault = findings.find(({ ok }) => !ok);
    if (fault === undefined) return `answers by ${way.way}`;
    reason ??= `no answer (${way.way}, ${fault.step})`;
  }
  return reason ?? "no way in";
}

function linksText({ alias, target }: NamedTarget): string {
  const links = Object.entries(ideLinks(alias, target.home, target.user));
  return [alias, ...links.map(([editor, link]) => `  ${editor}: ${link}`), ""].join("\n");
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join("  ")
          .trimEnd()}\n`,
    )
    .join("");
}
