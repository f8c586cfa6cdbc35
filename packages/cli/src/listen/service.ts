/** What keeps `drawbridge listen` running for a user, by each system's own means. */
import { join } from "node:path";
import { CliError } from "../cli-error.ts";
import type { thisOs } from "../self.ts";

export interface Service {
  /** Where its definition goes; undefined where a command alone makes it. */
  readonly file?: string;
  readonly text?: string;
  /** What the user runs, once. */
  readonly start: string;
  readonly stop: string;
}

const name = "drawbridge-listen";

/** @param command how this program is started */
export function serviceOf(os: ReturnType<typeof thisOs>, home: string, command: readonly string[]): Service {
  const words = [...command, "listen"];
  const odd = words.find((word) => /["\\\n<&]/.test(word) && os !== "windows");
  if (odd !== undefined) {
    throw new CliError(
      `a service cannot start ${JSON.stringify(odd)}; install drawbridge in a folder with a plain name`,
    );
  }
  switch (os) {
    case "linux":
      return {
        file: join(home, ".config/systemd/user", `${name}.service`),
        text: systemdUnit(words),
        start: `systemctl --user daemon-reload && systemctl --user enable --now ${name}`,
        stop: `systemctl --user disable --now ${name}`,
      };
    case "macos": {
      const file = join(home, "Library/LaunchAgents", `${name}.plist`);
      return {
        file,
        text: launchAgent(words),
        start: `launchctl bootstrap gui/$(id -u) "${file}"`,
        stop: `launchctl bootout gui/$(id -u)/${name}`,
      };
    }
    case "windows":
      return {
        start: `schtasks /Create /F /SC ONLOGON /RL LIMITED /TN ${name} /TR "${words.map((word) => `\\"${word}\\"`).join(" ")}"`,
        stop: `schtasks /Delete /F /TN ${name}`,
      };
  }
}

function systemdUnit(words: readonly string[]): string {
  return `[Unit]
Description=Loopback ports of development containers

[Service]
ExecStart=${words.map((word) => `"${word.replaceAll("%", "%%").replaceAll("$", "$$$$")}"`).join(" ")}
Restart=on-failure
RestartSec=5

[Install]
WantedBy=default.target
`;
}

function launchAgent(words: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>${name}</string>
  <key>ProgramArguments</key>
  <array>${words.map((word) => `<string>${word}</string>`).join("")}</array>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
</dict>
</plist>
`;
}
