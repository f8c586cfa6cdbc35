/** Where this program keeps what must last on the laptop: its key, its known hosts, its ssh_config. */
import { homedir } from "node:os";
import { join } from "node:path";

/** `DRAWBRIDGE_HOME`, else the platform's folder for such things. */
export function stateFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
  home: string = homedir(),
): string {
  if (env.DRAWBRIDGE_HOME) return env.DRAWBRIDGE_HOME;
  if (platform === "win32") return join(env.LOCALAPPDATA ?? join(home, "AppData", "Local"), "drawbridge");
  return join(env.XDG_STATE_HOME ?? join(home, ".local", "state"), "drawbridge");
}
