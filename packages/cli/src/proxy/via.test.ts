import { describe, expect, it } from "vitest";
import { type ConnectVia, parseVia, readGateway } from "./via.ts";

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

it.each([
  ["https://192.0.2.7", "ssh.example.com"],
  ["https://frp.example.com/dev1.team-a.frp.example.com", "frp.example.com"],
])("expects the certificate of %s to carry the name %s", async (text, serverName) => {
  const options = { "server-name": "ssh.example.com" };
  expect((await readGateway(parseVia(text) as ConnectVia, options)).tls).toEqual({ serverName });
  const { tls } = await readGateway(parseVia(text) as ConnectVia, {});
  expect(tls?.serverName).toBe(text.split("/")[2]);
});

it("has no TLS for http://", async () => {
  expect(await readGateway(parseVia("http://192.0.2.7:1337/x.y") as ConnectVia, {})).toEqual({
    address: "192.0.2.7",
    port: 1337,
  });
});
