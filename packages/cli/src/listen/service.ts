/** What keeps `drawbridge listen` running for a user, by each system's own means. */
import { join, win32 } from "node:path";
import { CliError } from "../faults.ts";
import type { thisOs } from "../self.ts";

export interface Service {
  readonly file: string;
  readonly text: string;
  /** What the user runs, once. */
  readonly start: string;
  readonly stop: string;
  /** Where one reads what it says. */
  readonly log: string;
}

const name = "drawbridge-listen";

/** Refuses what a definition cannot hold. @param command how this program is started */
export function checkStartable(os: ReturnType<typeof thisOs>, command: readonly string[]): void {
  const odd = command.find((word) => /["\\\n<&]/.test(word) && os !== "windows");
  if (odd === undefined) return;
  throw new CliError(
    `a service cannot start ${JSON.stringify(odd)}; install drawbridge in a folder with a plain name`,
  );
}

export function serviceOf(os: ReturnType<typeof thisOs>, home: string, command: readonly string[]): Service {
  const words = [...command, "listen"];
  switch (os) {
    case "linux": {
      const file = join(home, ".config/systemd/user", `${name}.service`);
      return {
        file,
        text: systemdUnit(words),
        start: `systemctl --user daemon-reload && systemctl --user enable --now ${name}`,
        stop: `systemctl --user disable --now ${name} && rm "${file}"`,
        log: `journalctl --user -u ${name}`,
      };
    }
    case "macos": {
      const file = join(home, "Library/LaunchAgents", `${name}.plist`);
      const log = join(home, "Library/Logs", `${name}.log`);
      return {
        file,
        text: launchAgent(words, log),
        start: `launchctl bootstrap gui/$(id -u) "${file}"`,
        stop: `launchctl bootout gui/$(id -u)/${name} && rm "${file}"`,
        log,
      };
    }
    case "windows": {
      // No task: it waits for mains, ends after three days, and takes an administrator to begin at a login.
      const startup = "AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup";
      const file = win32.join(home, startup, `${name}.cmd`);
      return {
        file,
        text: startupFile(words, home),
        start: `explorer "${file}"`,
        stop: `del "${file}"`,
        log: "its window",
      };
    }
  }
}

function systemdUnit(words: readonly string[]): string {
  return `[Unit]
Description=Loopback ports of development containers
ConditionPathExists=${words[0]?.replaceAll("%", "%%")}

[Service]
ExecStart=${words.map((word) => `"${word.replaceAll("%", "%%").replaceAll("$", "$$$$")}"`).join(" ")}
Restart=on-failure
RestartSec=30

[Install]
WantedBy=default.target
`;
}

function launchAgent(words: readonly string[], log: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>${name}</string>
  <key>ProgramArguments</key>
  <array>${words.map((word) => `<string>${word}</string>`).join("")}</array>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>PathState</key><dict><key>${words[0]}</key><true/></dict></dict>
  <key>StandardOutPath</key><string>${log}</string>
  <key>StandardErrorPath</key><string>${log}</string>
</dict>
</plist>
`;
}

/** The home by its variable, since cmd reads the letters of a file in a code page of its own. */
function startupFile(words: readonly string[], home: string): string {
  const written = words.map((word) =>
    word.replaceAll("/", "\\").replaceAll("%", "%%").replace(home.replaceAll("%", "%%"), "%USERPROFILE%"),
  );
  return `@start "" /min ${written.map((word) => `"${word}"`).join(" ")}\r\n`;
}
