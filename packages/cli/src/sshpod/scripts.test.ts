import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import {
  placeBusyboxScript,
  probeScript,
  readAnswers,
  startScript,
  unpackScript,
  unpackWithBusyboxScript,
} from "./scripts.ts";
import { fileInTar, sumsOf } from "./tar.ts";

const scripts = { probeScript, placeBusyboxScript, startScript, unpackScript, unpackWithBusyboxScript };

describe("the scripts", () => {
  it.each(Object.entries(scripts))("%s is shell that every sh reads", async (_name, script) => {
    const { stderr } = await promisify(execFile)("sh", ["-n", "-c", script]);
    expect(stderr).toBe("");
    // The whole script is part of the request's URL, of which API servers and proxies take 8 KiB and more.
    expect(new URLSearchParams({ command: script }).toString().length).toBeLessThan(6000);
    expect(script.split("\n").filter((line) => !/^[^\s#]/.test(line))).toEqual([""]);
  });

  it("say what this machine is", async () => {
    const { stdout } = await promisify(execFile)("sh", [
      "-c",
      probeScript,
      "sshpod",
      "0",
      "shared",
      "none",
      "root",
    ]);
    const answers = readAnswers(stdout);
    expect(answers.get("uid")).toBe(String(process.getuid?.()));
    expect(answers.get("requested")).toBe("0");
    expect(answers.get("machine")).toMatch(/^(x86_64|aarch64)$/);
    expect(answers.has("port")).toBe(false);
  });
});

it("reads answers, and joins those that come twice", () => {
  const output = "uid 1000 \r\nbundle a\nbundle b\nshell \nnonsense\n nothing\nx y z\n";
  expect(readAnswers(output)).toEqual(
    new Map([
      ["uid", "1000"],
      ["bundle", "a b"],
      ["shell", ""],
      ["x", "y z"],
    ]),
  );
});

it("takes a file out of an archive", async () => {
  const entry = (name: string, content: Buffer) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(content.length.toString(8).padStart(11, "0"), 124);
    return Buffer.concat([header, content, Buffer.alloc((512 - (content.length % 512)) % 512)]);
  };
  const busybox = Buffer.from("b".repeat(700));
  const archive = gzipSync(
    Buffer.concat([entry("./bin/a", Buffer.from("x")), entry("bin/busybox", busybox), Buffer.alloc(1024)]),
  );
  const hash = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");
  expect(hash(await fileInTar(archive, "bin/busybox"))).toBe(hash(busybox));
  expect(await sumsOf(archive, "bin")).toBe(`${hash(Buffer.from("x"))}  a\n${hash(busybox)}  busybox`);
  await expect(fileInTar(archive, "bin/none")).rejects.toThrow("the sshd archive holds no bin/none");
});
