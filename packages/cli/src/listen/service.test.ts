import { describe, expect, it } from "vitest";
import { serviceOf } from "./service.ts";

describe("serviceOf", () => {
  it("is a systemd unit of the user's on Linux, whose words mean nothing to systemd", () => {
    const { file, text, start } = serviceOf("linux", "/home/a", ["/home/a b/100% $HOME/start"]);
    expect(file).toBe("/home/a/.config/systemd/user/drawbridge-listen.service");
    expect(text).toContain('ExecStart="/home/a b/100%% $$HOME/start" "listen"\n');
    expect(start).toBe("systemctl --user daemon-reload && systemctl --user enable --now drawbridge-listen");
  });

  it("is a launch agent on macOS", () => {
    const { file, text } = serviceOf("macos", "/Users/a", ["/Users/a/.ssh/drawbridge/start"]);
    expect(file).toBe("/Users/a/Library/LaunchAgents/drawbridge-listen.plist");
    expect(text).toContain(
      "<array><string>/Users/a/.ssh/drawbridge/start</string><string>listen</string></array>",
    );
  });

  it("is a task on Windows, which one command makes", () => {
    expect(serviceOf("windows", "C:/Users/a", ["C:/Program Files/node.exe", "C:/x/main.cjs"])).toEqual({
      start:
        'schtasks /Create /F /SC ONLOGON /RL LIMITED /TN drawbridge-listen /TR "\\"C:/Program Files/node.exe\\" \\"C:/x/main.cjs\\" \\"listen\\""',
      stop: "schtasks /Delete /F /TN drawbridge-listen",
    });
  });

  it("is refused for a path that the definition cannot hold", () => {
    expect(() => serviceOf("macos", "/Users/a", ["/Users/a<b/start"])).toThrow(
      'a service cannot start "/Users/a<b/start"; install drawbridge in a folder with a plain name',
    );
  });
});
