import fc from "fast-check";
import { expect, it } from "vitest";
import { sshTarget } from "../ssh-target.fixture.ts";
import { hostAndPort, loopbackPorts } from "./loopback-ports.ts";

const targets = fc
  .uniqueArray(fc.integer({ min: 0, max: 40 }))
  .map((numbers) => numbers.map((number) => sshTarget({ hostName: `dev${number}.dev.example.com` })));

it("gives each container a port of its own, which stays as others come and go", () => {
  fc.assert(
    fc.property(targets, targets, (first, second) => {
      const before = loopbackPorts(first, {});
      const after = loopbackPorts(second, before);
      const ports = Object.values(after);
      expect(new Set(ports).size).toBe(second.length);
      for (const port of ports) expect(port >= 20_000 && port < 32_000).toBe(true);
      for (const key of first.map(hostAndPort)) if (key in after) expect(after[key]).toBe(before[key]);
    }),
  );
});

it("goes on to the next port where two names want the same", () => {
  const [one, other] = [sshTarget({ hostName: "a.example.com" }), sshTarget({ hostName: "b.example.com" })];
  const wanted = loopbackPorts([one], {})["a.example.com:22"] ?? 0;
  expect(loopbackPorts([one, other], { "b.example.com:22": wanted })).toEqual({
    "a.example.com:22": wanted + 1,
    "b.example.com:22": wanted,
  });
});

it("gives two accounts of a computer ports of their own for the same containers", () => {
  const containers = Array.from({ length: 20 }, (_, at) => sshTarget({ hostName: `dev${at}.example.com` }));
  const [ann, bob] = ["ann", "bob"].map((account) => Object.values(loopbackPorts(containers, {}, account)));
  expect(ann?.filter((port) => bob?.includes(port))).toEqual([]);
});
