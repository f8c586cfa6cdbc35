import { describe, expect, it } from "vitest";
import { checkStartable, serviceOf } from "./service.ts";

describe("serviceOf", () => {
  it("is a systemd unit of the user's on Linux, whose words mean nothing to systemd", () => {
    const { file, text, start } = serviceOf("linux", "/home/a", ["/home/a b/100% $HOME/start"]);
    expect(file).toBe("/home/a/.config/systemd/user/drawbridge-listen.service");
    expect(text).toContain('ExecStart="/home/a b/100%% $$HOME/start" "listen"\n');
    expect(text).toContain("ConditionPathExists=/home/a b/100%% $HOME/start\n");
    expect(start).toBe("systemctl --user daemon-reload && systemctl --user enable --now drawbridge-listen");
  });

  it("is a launch agent on macOS, which runs as long as ssh-config's files are there", () => {
    const { file, text, log } = serviceOf("macos", "/Users/a", ["/Users/a/.ssh/drawbridge/start"]);
    expect(file).toBe("/Users/a/Library/LaunchAgents/drawbridge-listen.plist");
    expect(text).toContain(
      "<array><string>/Users/a/.ssh/drawbridge/start</string><string>listen</string></array>",
    );
    expect(text).toContain(
      "<key>PathState</key><dict><key>/Users/a/.ssh/drawbridge/start</key><true/></dict>",
    );
    expect(log).toBe("/Users/a/Library/Logs/drawbridge-listen.log");
    expect(text).toContain(`<key>StandardErrorPath</key><string>${log}</string>`);
  });

  it("is a file of the startup folder on Windows, which no shell has to quote", () => {
    const command = ["C:/Program Files/node.exe", "C:/Users/J\u00f6rg/100%/main.cjs"];
    const file =
      "C:\\Users\\J\u00f6rg\\AppData\\Roaming\\Microsoft\\Windows\\Start Menu\\Programs\\Startup\\drawbridge-listen.cmd";
    expect(serviceOf("windows", "C:\\Users\\J\u00f6rg", command)).toEqual({
      file,
      text: '@start "" /min "C:\\Program Files\\node.exe" "%USERPROFILE%\\100%%\\main.cjs" "listen"\r\n',
      start: `explorer "${file}"`,
      stop: `del "${file}"`,
      log: "its window",
    });
  });

  it("is refused for a path that the definition cannot hold", () => {
    expect(() => checkStartable("macos", ["/Users/a<b/start"])).toThrow(
      'a service cannot start "/Users/a<b/start"; install drawbridge in a folder with a plain name',
    );
  });
});
