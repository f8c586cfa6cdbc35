import { describe, expect, it } from "vitest";
import { frpEvent, isWorthALine } from "./answer-frps.ts";
import { type AuthorizeRequest, parseRequest } from "./frps-protocol.ts";

// As frps 0.70.1 sends them, shortened by what is not read.
const login = {
  version: "0.1.0",
  op: "Login",
  content: {
    version: "0.70.1",
    user: "team-a.dev1",
    privilege_key: "aa",
    metas: { token: "secret" },
    client_address: "10.1.2.3:4567",
  },
};
const newProxy = {
  version: "0.1.0",
  op: "NewProxy",
  content: {
    user: { user: "team-a.dev1", metas: { token: "secret" }, run_id: "r" },
    proxy_name: "team-a.dev1.ssh",
    proxy_type: "tcpmux",
    bandwidth_limit_mode: "client",
    custom_domains: ["dev1.team-a.ssh.example.com"],
    multiplexer: "httpconnect",
  },
};
const client = { user: "team-a.dev1", token: "secret" };
const parse = (body: unknown) => parseRequest(JSON.stringify(body));

describe("a request of frps", () => {
  it("is read, a login from its top and the rest from its user", () => {
    expect(parse(login)).toEqual({ operation: "Login", client, address: "10.1.2.3:4567", proxy: undefined });
    expect(parse(newProxy)).toEqual({
      operation: "NewProxy",
      client,
      address: "",
      proxy: {
        name: "team-a.dev1.ssh",
        type: "tcpmux",
        multiplexer: "httpconnect",
        customDomains: ["dev1.team-a.ssh.example.com"],
        otherFields: [],
      },
    });
  });

  it("names every further field that is set", () => {
    const content = {
      ...newProxy.content,
      group: "g",
      locations: [],
      remote_port: 0,
      headers: { a: "b" },
      new_in_frp: true,
      use_encryption: false,
      subdomain: "",
      plugin: null,
      options: {},
      annotations: { a: "b" },
      metas: { a: "b" },
    };
    expect(parse({ ...newProxy, content }).proxy?.otherFields).toEqual(["group", "headers", "new_in_frp"]);
  });

  it("has the address of the ssh client, and no domain where none is named", () => {
    const user = { user: "team-a.dev1", metas: { token: "secret" } };
    const came = { op: "NewUserConn", content: { user, remote_addr: "192.0.2.7:4711" } };
    expect(parse(came)).toEqual({
      operation: "NewUserConn",
      client,
      address: "192.0.2.7:4711",
      proxy: undefined,
    });
    const { custom_domains: _, ...content } = newProxy.content;
    expect(parse({ ...newProxy, content }).proxy?.customDomains).toEqual([]);
  });

  it("has an empty token where frpc sent none", () => {
    const none = { user: "", token: "" };
    expect(parse({ ...login, content: { user: "a.b" } }).client).toEqual({ ...none, user: "a.b" });
    expect(parse({ ...login, content: { user: null, metas: { token: null } } }).client).toEqual(none);
  });

  it.each([
    [{ op: "NewWorkConn", content: {} }, '"NewWorkConn" is not one of Login, NewProxy, Ping, NewUserConn'],
    [{ content: {} }, "the operation undefined is not one of"],
    [{ op: "Login" }, "content is not an object"],
    [{ op: "Ping", content: {} }, "content.user is not an object"],
    [{ op: "Login", content: { user: 7 } }, "a field that must be text is not"],
    [{ op: "Login", content: { user: "a.b", metas: { token: ["x"] } } }, "a field that must be text is not"],
    [{ ...newProxy, content: { ...newProxy.content, custom_domains: "x" } }, "custom_domains is not a list"],
    [
      { ...newProxy, content: { ...newProxy.content, custom_domains: ["a.b", 7] } },
      "a field that must be text is not",
    ],
    [{ op: "Login", content: { user: "a.b", metas: "x" } }, "metas is not an object"],
    [[], "the request is not an object"],
    [null, "the request is not an object"],
    ["Login", "the request is not an object"],
  ])("is refused as %j", (body, reason) => {
    expect(() => parse(body)).toThrow(reason);
  });
});

describe("the audit log", () => {
  const domain = "dev1.team-a.ssh.example.com";
  it("says who asked for what once that is proven, why not, and never the token", () => {
    const unproven = frpEvent(parse(newProxy), { reason: "the user is unknown" });
    expect(unproven).toEqual({
      way: "frp",
      what: `NewProxy team-a.dev1 ${domain}`,
      outcome: "refused",
      reason: "the user is unknown",
    });
    const proven = frpEvent(parse(newProxy), { identity: { namespace: "team-a", name: "dev1" } });
    expect(proven).toEqual({
      container: "team-a/dev1",
      way: "frp",
      what: `NewProxy ${domain}`,
      outcome: "allowed",
    });
    expect(JSON.stringify([unproven, proven])).not.toContain("secret");
  });

  it("leaves out pings that were allowed", () => {
    const ping: AuthorizeRequest = { operation: "Ping", client, address: "", proxy: undefined };
    expect([isWorthALine(ping, {}), isWorthALine(ping, { reason: "no" })]).toEqual([false, true]);
    expect(isWorthALine(parse(login), {})).toBe(true);
  });
});
