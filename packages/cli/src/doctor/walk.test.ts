import { expect, it } from "vitest";
import { parseVia } from "../proxy/via.ts";
import { walk } from "./walk.ts";

it("says that a file for TLS is gone as a fault of TLS", async () => {
  const destination = { hostName: "dev1.example.com", port: 22, tls: { ca: "/nowhere" } };
  expect(await walk(parseVia("https://127.0.0.1:1"), destination)).toEqual([
    {
      step: "TLS",
      ok: false,
      text: "the file of --ca cannot be read: ENOENT: no such file or directory, open '/nowhere'",
    },
  ]);
});
