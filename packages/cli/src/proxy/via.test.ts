import { describe, expect, it } from "vitest";
import { parseVia } from "./via.ts";

describe("parseVia", () => {
  it.each([
    ["http://ssh.example.com", { secure: false, address: "ssh.example.com", port: 80 }],
    ["https://ssh.example.com", { secure: true, address: "ssh.example.com", port: 443 }],
    ["https://192.0.2.7:8443/", { secure: true, address: "192.0.2.7", port: 8443 }],
    ["http://[2001:db8::7]:1337", { secure: false, address: "2001:db8::7", port: 1337 }],
    [
      "http://frp.example.com:1337/dev1.team-a.frp.example.com",
      { secure: false, address: "frp.example.com", port: 1337, name: "dev1.team-a.frp.example.com" },
    ],
  ])("reads %s", (text, expected) => {
    expect(parseVia(text)).toEqual({ kind: "connect", text, ...expected });
  });

  it("reads a pod's name", () => {
    const text = "pod--dev1-0.namespace--team-a.sshpod";
    const target = { kind: "pod", name: "dev1-0", namespace: "team-a" };
    expect(parseVia(text)).toEqual({ kind: "sshpod", text, target });
  });

  it.each([
    "ssh.example.com:80",
    "ftp://x",
    "http://",
    "http://x:0",
    "http://x:70000",
    "http://x/a b",
    "http://a@b",
  ])("refuses %s", (text) => {
    expect(() => parseVia(text)).toThrow(
      `${JSON.stringify(text)} is not a way in; write it like http://ssh.example.com:80, https://ssh.example.com:443 or pod--NAME.namespace--NAMESPACE.sshpod`,
    );
  });
});
