import { expect, it } from "vitest";
import { derive, isOwnIdentity, type Purpose } from "./derivation.ts";

const seed = "engine-test-seed-0123456789abcdef0123456789";

it.each<[Purpose, string, string]>([
  ["host-key", "team-a/dev1", "4u4892szuw_k15cane6m_bGWH3VcaoaAzCjdntgUM6E"],
  ["host-key", "team-a/dev1#2", "FT5PzNfRImfay2k-24GdbY85hri7r28sadjsbze2B1o"],
  ["frp-token", "team-a/dev1", "6e3sgQ5p-9mOAmCaFCdO_4gSSNLAXWgIspnRdYF-hys"],
  ["frp-metrics", "frp/frp", "SX_HZdCtqpjp9amqrsQh_u6Lvu6IuDstBjjQLHhRyoQ"],
  ["frp-certificate", "ca/frp/frp", "Pg7aEOvzhQTMgmpwQe9RgZ2Mjrnqjzy6f89yz-WUFdE"],
  ["frp-certificate", "server/frp/frp", "IiqI7lBXuIHc5mzsErdNt2IXmqNS0E8QylHPmHDGl_8"],
  ["mark", "team-a/dev1", "VxAGyLkeZ7YIn-q3F1yZ_94LNQTheu70NjQC9k6FydI"],
])("derives the same %s of %s in every release", (purpose, identity, secret) => {
  expect(derive(seed, purpose, identity).toString("base64url")).toBe(secret);
});

it.each([
  ["team-a/dev1", true],
  ["team-a/dev1/east", true],
  ["team-a/dev10", false],
  ["team-a/dev", false],
  ["team-a", false],
  ["team-b/dev1", false],
  ["Team-a/dev1", false],
  ["x/team-a/dev1", false],
])("knows whose the identity %s is", (identity, isOwn) => {
  expect(isOwnIdentity(identity, "team-a/dev1")).toBe(isOwn);
});
