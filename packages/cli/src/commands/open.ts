/** `drawbridge open NAME`: an editor with the container's folder in it. */
import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { ideLinks } from "@drawbridge-iac/drawbridge/src/host/client-texts/ssh-config";
import { CliError, ExitCode } from "../faults.ts";
import { knownTarget } from "../known-stacks.ts";
import { thisOs } from "../self.ts";

type Editor = "vscode" | "cursor" | "zed" | "jetbrains";

/** Editors by their options. */
export interface OpenFlags extends Readonly<Partial<Record<Editor, boolean>>> {
  /** Only says what would be started. */
  readonly print?: boolean;
}

/** How each is started on a command line; JetBrains Gateway takes a link only. */
const programs: Readonly<Record<Editor, string | undefined>> = {
  vscode: "code",
  cursor: "cursor",
  zed: "zed",
  jetbrains: undefined,
};

export async function open(alias: string, flags: OpenFlags): Promise<string> {
  const { target } = await knownTarget(alias);
  const editor = chooseEditor(flags, isInstalled);
  const command = openCommand(editor, alias, target, isInstalled);
  if (!flags.print) await start(command);
  return `${command.join(" ")}\n`;
}

/** The one that was asked for, else the first that is there. */
export function chooseEditor(flags: OpenFlags, has: (program: string) => boolean): Editor {
  const editors = Object.keys(programs) as Editor[];
  const asked = editors.filter((editor) => flags[editor]);
  if (asked.length > 1) {
    throw new CliError(
      `choose one editor, not ${asked.map((one) => `--${one}`).join(" and ")}`,
      ExitCode.usage,
    );
  }
  const found = asked[0] ?? editors.find((editor) => has(programs[editor] ?? ""));
  if (found !== undefined) return found;
  throw new CliError(
    "no editor is on PATH (code, cursor, zed); name yours: --vscode, --cursor, --zed or --jetbrains",
  );
}

/** Program and arguments: the editor's own where it is on PATH, else the system's way to open a link. */
export function openCommand(
  editor: Editor,
  alias: string,
  { home, user }: { readonly home: string; readonly user: string },
  has: (program: string) => boolean,
  os = thisOs(),
): string[] {
  const links = ideLinks(alias, home, user);
  const program = programs[editor];
  if (program !== undefined && has(program)) {
    return editor === "zed" ? [program, links.zed] : [program, "--remote", `ssh-remote+${alias}`, home];
  }
  const link = editor === "jetbrains" ? links.jetbrainsGateway : links[editor];
  // Not by `start`, which would read & in a link as the end of the command.
  if (os === "windows") return ["rundll32", "url.dll,FileProtocolHandler", link];
  return [os === "macos" ? "open" : "xdg-open", link];
}

function isInstalled(program: string): boolean {
  if (program === "") return false;
  const endings = thisOs() === "windows" ? [".cmd", ".exe"] : [""];
  return (process.env.PATH ?? "").split(delimiter).some((folder) =>
    endings.some((ending) => {
      try {
        accessSync(join(folder, program + ending), constants.X_OK);
        return true;
      } catch {
        return false;
      }
    }),
  );
}

function start([program = "", ...args]: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    // On Windows an editor's command is a .cmd, which only a shell starts; names and paths are checked by then.
    const child = spawn(program, args, { stdio: "ignore", detached: true, shell: thisOs() === "windows" });
    child.once("error", () => reject(new CliError(`${program} cannot be started; is it installed?`)));
    child.once("spawn", () => {
      child.unref();
      resolve();
    });
  });
}
