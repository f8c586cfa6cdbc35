import { expect, it } from "vitest";
import { parseVia } from "../proxy/via.ts";
import { sshTarget } from "../ssh-target.fixture.ts";
import { explainLogin, walk } from "./walk.ts";

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

const hostKeyShown = "debug1: Server host key: ssh-ed25519 SHA256:abc\r\n";
const explain = (code: number, stderr: string) => explainLogin({ code, stderr }, sshTarget());

it("finds both steps well after a login", () => {
  expect(explain(0, hostKeyShown)).toEqual([
    { step: "host key", ok: true, text: "SHA256:abc" },
    { step: "login", ok: true, text: "as jovyan" },
  ]);
});

it("tells refused keys from no keys and from too many", () => {
  const text = (stderr: string) => explain(255, hostKeyShown + stderr)[1]?.text;
  const denied = "jovyan@dev1: Permission denied (publickey).\r\n";
  expect(text(`debug1: Offering public key: /k ED25519 SHA256:x\r\n${denied}`)).toBe(
    "jovyan has none of the keys that were offered (/k ED25519 SHA256:x); put the public key into its authorizedKeys, or, where the machine's own sshd answers, into its ~/.ssh/authorized_keys; or name the right one with drawbridge ssh-config --identity FILE",
  );
  expect(text(denied)).toBe(
    "this computer has no key to offer to jovyan; make one with ssh-keygen -t ed25519, or name yours with drawbridge ssh-config --identity FILE",
  );
  // What ssh says when the server ends it.
  const ended =
    "Received disconnect from UNKNOWN port 65535:2: Too many authentication failures\r\nDisconnected from UNKNOWN port 65535\r\n";
  expect(text(`debug1: Offering public key: a\r\n${ended}`)).toBe(
    "too many keys were offered; name one with drawbridge ssh-config --identity FILE (offered: a)",
  );
  expect(text("shell request failed on channel 0\r\n")).toBe("shell request failed on channel 0");
});

it("tells a key that is refused from one that cannot be used without its passphrase", () => {
  const key = "/k/J\\303\\266rg ED25519 SHA256:x explicit";
  const tried = `debug1: Offering public key: ${key}\r\ndebug1: Server accepts key: ${key}\r\n`;
  const denied = "jovyan@dev1: Permission denied (publickey).\r\n";
  expect(explain(255, hostKeyShown + tried + denied)[1]).toEqual({
    step: "login",
    ok: false,
    text: `jovyan has the key ${key}, but its use takes a passphrase or a touch, and doctor asks for none; load it with ssh-add, or log in by hand`,
  });
});

it("shows both fingerprints of a host key that is not the stack's", () => {
  const [finding] = explain(255, `${hostKeyShown}Host key verification failed.\r\n`);
  expect(finding).toEqual({
    step: "host key",
    ok: false,
    text: "the host shows SHA256:abc, but the stack says SHA256:0CWz28kBIPgf3SpniZ9VmJMFp73mKajeRfgcNn+JGNg; if the stack was changed, run drawbridge ssh-config again; otherwise someone stands between you and it",
  });
});

/** As ssh -v really ends. */
const entered = `${hostKeyShown}Authenticated to dev1 (via proxy) using "publickey".\r\ndebug1: x\r\n`;
const counted =
  "Transferred: sent 2960, received 2612 bytes, in 0.1 seconds\r\nBytes per second: sent 1.0, received 1.0\r\ndebug1: Exit status 1\r\n";

it.each([
  ["This account is currently not available.\n", 1, "This account is currently not available."],
  ["bash: line 1: true: command not found\n", 127, "bash: line 1: true: command not found"],
  ["", 1, "ssh said nothing"],
])("says what became of a login that ended: %j", (said, code, why) => {
  expect(explain(code, entered + said + counted)[1]).toEqual({
    step: "login",
    ok: false,
    text: `jovyan is let in, but there \`true\` ends with ${code}: ${why}; check the account's shell, and what its start files do (~/.bashrc, ~/.profile)`,
  });
});

it.each([
  [
    'Load key "/k": bad permissions\r\n',
    'a key of this computer cannot be used: Load key "/k": bad permissions',
  ],
  [
    'sign_and_send_pubkey: signing failed for ED25519 "/k" from agent: agent refused operation\r\n',
    'a key of this computer cannot be used: sign_and_send_pubkey: signing failed for ED25519 "/k" from agent: agent refused operation',
  ],
  [`${entered}client_loop: send disconnect: Broken pipe\r\n`, "client_loop: send disconnect: Broken pipe"],
])("says what is wrong with a key, or how a session broke off: %j", (said, text) => {
  const denied = said.includes("Broken") ? counted : "jovyan@dev1: Permission denied (publickey).\r\n";
  expect(explain(255, hostKeyShown + said + denied)[1]?.text).toBe(text);
});

it.each([
  [
    "drawbridge: no way in is open\r\nkex_exchange_identification: Connection closed by remote host\r\nConnection closed by UNKNOWN port 65535\r\n",
    "no way in is open",
  ],
  [
    "kex_exchange_identification: read: Connection reset by peer\r\nConnection reset by UNKNOWN port 65535\r\n",
    "kex_exchange_identification: read: Connection reset by peer",
  ],
  [
    "Unable to negotiate with UNKNOWN port 65535: no matching host key type found. Their offer: ssh-ed25519\r\n",
    "Unable to negotiate with UNKNOWN port 65535: no matching host key type found. Their offer: ssh-ed25519; its key is of Ed25519 alone, which this ssh's HostKeyAlgorithms leaves out (FIPS?)",
  ],
  [
    "/h/.ssh/config: line 1: Bad configuration option: x\r\n/h/.ssh/config: terminating, 1 bad configuration options\r\n",
    "/h/.ssh/config: line 1: Bad configuration option: x",
  ],
  [
    "OpenSSH_9.2p1\r\ndebug1: x\r\nkex_exchange_identification: Connection closed by remote host\r\nConnection closed by UNKNOWN port 65535\r\n",
    "Connection closed by UNKNOWN port 65535",
  ],
  ["OpenSSH_9.2p1\r\ndebug1: x\r\n", "ssh said nothing"],
])("takes the reason out of what ssh said when it did not get that far: %j", (said, why) => {
  expect(explain(255, said)).toEqual([
    { step: "host key", ok: false, text: `ssh did not get as far as the host key: ${why}` },
  ]);
});
