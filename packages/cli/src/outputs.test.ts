import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { join } from "node:path";
import { temporaryFolder } from "@drawbridge-iac/drawbridge/src/kit/temporary-folder.fixture";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { listening } from "./machine.fixture.ts";
import { readOutputs } from "./outputs.ts";

const folder = temporaryFolder();
const asked: string[] = [];
let plain: http.Server;
let secure: https.Server;
let httpUrl: string;
let httpsUrl: string;

/** `/outputs` has them; any other path leads to the address that stands after it. */
const answer: http.RequestListener = ({ url = "", socket }, response) => {
  asked.push(`${"encrypted" in socket ? "https" : "http"} ${url}`);
  if (url === "/outputs") response.end('{"read":true}');
  else response.writeHead(302, { location: decodeURIComponent(url.slice(1)) }).end();
};

beforeAll(async () => {
  const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
  const self = ["req", "-x509", "-nodes", ...curve, "-subj", "/CN=localhost", "-keyout", key, "-out", cert];
  execFileSync("openssl", self, { stdio: "ignore" });
  plain = http.createServer(answer);
  secure = https.createServer({ key: readFileSync(key), cert: readFileSync(cert) }, answer);
  httpUrl = `http://127.0.0.1:${await listening(plain)}`;
  httpsUrl = `https://127.0.0.1:${await listening(secure)}`;
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
});

afterAll(() => {
  vi.unstubAllEnvs();
  for (const server of [plain, secure]) server.close();
});

beforeEach(() => void asked.splice(0));

const leadingTo = (...places: string[]) =>
  places.reduceRight((to, place) => `${place}/${encodeURIComponent(to)}`);

it("follows an address that leads elsewhere by https", async () => {
  expect(await readOutputs({ from: `${httpsUrl}/outputs` })).toEqual({ read: true });
  expect(await readOutputs({ from: leadingTo(httpsUrl, httpsUrl, `${httpsUrl}/outputs`) })).toEqual({
    read: true,
  });
  expect(await readOutputs({ from: leadingTo(httpsUrl, "/outputs") })).toEqual({ read: true });
});

it("does not follow one that leads to http, not even on the way to https", async () => {
  const there = `${httpUrl}/outputs`;
  for (const from of [leadingTo(httpsUrl, there), leadingTo(httpsUrl, httpsUrl, there)]) {
    await expect(readOutputs({ from })).rejects.toMatchObject({
      message: `${from} leads to ${there}, which is not fetched: over http anybody on the way could change it; use an address that stays with https`,
      exitCode: 1,
    });
  }
  await expect(
    readOutputs({ from: leadingTo(httpsUrl, httpUrl, `${httpsUrl}/outputs`) }),
  ).rejects.toMatchObject({ message: expect.stringContaining(` leads to ${httpUrl}/`) as string });
  expect(asked.filter((line) => line.startsWith("http "))).toEqual([]);
});

it("gives up an address that leads on and on", async () => {
  const from = leadingTo(...Array.from({ length: 12 }, () => httpsUrl), `${httpsUrl}/outputs`);
  await expect(readOutputs({ from })).rejects.toMatchObject({
    message: `${from} cannot be read: it leads on more than 10 times; check the address and the network`,
  });
  expect(asked).toHaveLength(11);
});
