import { expect, it } from "vitest";
import { defaultValue } from "./default-value.ts";

it.each([
  ["SshGateway", "drainSeconds", 3600],
  ["DevContainer", "egress.allow", []],
  ["DevContainer", "terminationGracePeriodSeconds", 60],
  ["DevContainer", "ssh.mode", "image"],
  ["InjectedSshd", "ssh.port", 2222],
  ["InjectedSshd", "networkPolicy", "none"],
  ["SshRoute", "port", 22],
  // Decided by the plan, by a group that is missing, or by nobody.
  ["StorageProxy", "image", undefined],
  ["DevContainer", "gpu.count", undefined],
  ["DevContainer", "nonsense", undefined],
  ["StrangeThing", "size", undefined],
])("the default of %s.%s", (component, path, expected) => {
  expect(defaultValue(component, path)).toEqual(expected);
});
