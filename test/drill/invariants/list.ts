/** `drawbridge list` and `drawbridge doctor` say what is: once a fault is healed, that all is well. */
import { installCli } from "../../../scripts/lib/clients/cli.ts";
import { eventually } from "../../../scripts/lib/lab/lab.ts";
import type { Invariant } from "../invariant.ts";
import { doors, frpTeam, storage, storageTeam, type Team, teams } from "../teams.ts";

/** Seconds after a fault was healed. */
const bound = 60;

const waysOf = (team: Team) =>
  [...doors.filter((door) => door.team === team).map(({ way }) => way), "sshpod"]
    .map((way) => `${way} answers`)
    .join(", ");
/** Behind each name: what its pod is, or its storage, and who answers. */
const well: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(teams.map((team) => [team, ["Ready", waysOf(team)]])),
  [`${storage} ${storageTeam}`]: ["Ready", "answers"],
};

/** The table's rows with the columns that change. */
function rowsIn(text: string): Record<string, string[]> {
  const rows = text.split("\n").map((line) => line.split(/ {2,}/));
  return Object.fromEntries(
    rows.flatMap(([name = "", second = "", third = "", ...rest]) => {
      if ((teams as readonly string[]).includes(name)) return [[name, rest]];
      return name === storage ? [[`${name} ${second}`, [third, ...rest.slice(1)]]] : [];
    }),
  );
}

export const listAgrees: Invariant = {
  name: "list and doctor agree",
  async begin({ laptop, outputs }) {
    const cli = await installCli();
    const from = ["ssh-config", "--from", "-", "--identity", laptop.keyFile];
    const saved = await cli.run(from, { input: JSON.stringify(outputs) });
    if (saved.code !== 0) throw new Error(`drawbridge ssh-config: ${saved.stderr.trim()}`);
    return {
      async look() {
        let said = "";
        const isWell = async () => {
          said = (await cli.run(["list"])).stdout;
          const rows = rowsIn(said);
          return JSON.stringify(rows) === JSON.stringify(well);
        };
        const agrees = await eventually("all well", isWell, bound).catch(() => false);
        const late = agrees
          ? []
          : [`drawbridge list does not say that all is well within ${bound} s:\n${said}`];
        const { code, stdout } = await cli.run(["doctor", frpTeam]);
        if (code !== 0) late.push(`drawbridge doctor finds fault with ${frpTeam}:\n${stdout}`);
        return { breaches: [], late };
      },
      end: () => cli.remove(),
    };
  },
};
