// The same with npm's ssh2, which leaves the host key to its user: the line of known_hosts is compared.
const { readFileSync } = require("node:fs");
const { Client } = require("ssh2");

const [port, knownHosts, key, target] = process.argv.slice(2);
const line = readFileSync(knownHosts, "utf8")
  .split("\n")
  .find((each) => each.startsWith(`[127.0.0.1]:${port} `));
const known = Buffer.from(line.split(" ")[2], "base64");
const client = new Client();
const ended = (stream, done) => {
  let text = "";
  stream.on("data", (bytes) => (text += bytes)).on("close", () => done(text.trim()));
};
client.on("ready", () => {
  client.exec("echo run", (_, stream) =>
    ended(stream, (run) => {
      console.log(run);
      client.sftp((_, sftp) =>
        sftp.writeFile(`${key}.sftp`, "copied", () =>
          sftp.readFile(`${key}.sftp`, (_, copied) => {
            console.log(String(copied));
            client.forwardOut("127.0.0.1", 0, "127.0.0.1", Number(target), (_, forward) =>
              forward.once("data", (bytes) => {
                console.log(String(bytes).slice(0, 4));
                client.end();
              }),
            );
          }),
        ),
      );
    }),
  );
});
client.on("error", ({ message }) => {
  console.error(message);
  process.exit(1);
});
client.connect({
  ...{ host: "127.0.0.1", port: Number(port), username: "root", privateKey: readFileSync(key) },
  hostVerifier: (shown) => shown.equals(known),
});
