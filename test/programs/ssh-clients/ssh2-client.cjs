// The same with npm's ssh2, which leaves the host key to its user: the line of known_hosts is compared.
const { readFileSync } = require("node:fs");
const { text } = require("node:stream/consumers");
const { promisify } = require("node:util");
const { Client } = require("ssh2");

const [port, knownHosts, key, there] = process.argv.slice(2);
const line = readFileSync(knownHosts, "utf8")
  .split("\n")
  .find((each) => each.startsWith(`[127.0.0.1]:${port} `));
const known = Buffer.from(line.split(" ")[2], "base64");
const client = new Client();
const call = (method, ...args) => promisify(client[method]).call(client, ...args);

async function use() {
  console.log((await text(await call("exec", "echo run"))).trim());
  const shell = await call("shell");
  shell.write("echo shell-$((1+1)); exit\n");
  console.log(/shell-2/.exec(await text(shell))[0]);
  const sftp = await call("sftp");
  await promisify(sftp.writeFile).call(sftp, "listened", "copied");
  console.log(String(await promisify(sftp.readFile).call(sftp, "listened")));
  const forward = await call("forwardOut", "127.0.0.1", 0, "127.0.0.1", 22);
  forward.once("data", (bytes) => console.log(String(bytes).slice(0, 4)));
  await new Promise((resolve) => forward.once("data", resolve));
  client.on("tcp connection", (_, accept) => accept().end("back"));
  await call("forwardIn", "127.0.0.1", Number(there));
  console.log(await text(await call("exec", `bash -c 'cat </dev/tcp/127.0.0.1/${there}'`)));
  client.end();
}

client.on("ready", use);
client.on("error", ({ message }) => {
  console.error(message);
  process.exit(1);
});
client.connect({
  ...{ host: "127.0.0.1", port: Number(port), username: "jovyan", privateKey: readFileSync(key) },
  hostVerifier: (shown) => shown.equals(known),
});
