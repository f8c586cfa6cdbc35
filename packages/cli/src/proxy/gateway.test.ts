import { expect, it } from "vitest";
import { readGateway } from "./gateway.ts";
import { type ConnectVia, parseVia } from "./via.ts";

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
