/**
 * What VS Code Remote-SSH and JetBrains Gateway do, replayed: their sequence of connections, a server that is uploaded,
 * unpacked and started in home and that outlives the connection, forwards in their numbers. Not the IDEs themselves.
 */
import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { eventually, type Laptop, run } from "../../scripts/lib/lab/lab.ts";

// Answers each request with a variable of its own environment, as an IDE's backend would show it in a terminal.
const server = `import http.server, os
class Answer(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(os.environ.get("FLAVOUR", "none").encode())
    def log_message(self, *_):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
open(os.path.expanduser("~/.ide-server/port"), "w").write(str(server.server_port))
server.serve_forever()
`;

// As VS Code sends it to \`bash\` on standard input: find the platform, reuse or start the server, say its port, stay.
const script = `set -e
uname -rsv >/dev/null; test "$(uname -m)" != ""; command -v tar >/dev/null
cd ~/.ide-server
if ! kill -0 "$(cat pid 2>/dev/null)" 2>/dev/null; then
  tar -xzf server.tgz
  nohup setsid python3 server.py >log 2>&1 </dev/null &
  echo $! >pid
fi
until [ -s port ]; do sleep 0.1; done
echo "pid==$(cat pid)== listeningOn==$(cat port)=="
while sleep 1; do :; done
`;

/** One connection as VS Code holds it: a shell fed with the script, and a SOCKS proxy on the same connection. */
async function connect(
  laptop: Laptop,
  host: string,
  socksPort: number,
): Promise<{ pid: string; port: string; close(): Promise<void> }> {
  const child = spawn("ssh", ["-F", laptop.configFile, "-T", "-D", String(socksPort), host, "bash"], {
    env: { ...process.env, ...laptop.env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  child.stdin.write(script);
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const found = await eventually(
    "the server",
    async () => /pid==(\d+)== listeningOn==(\d+)==/.exec(said) ?? undefined,
    60,
  );
  const close = async () => {
    child.kill();
    await ended;
  };
  return { pid: found[1] ?? "", port: found[2] ?? "", close };
}

const through = (socksPort: number, port: string) =>
  run("curl", [
    "-sS",
    "--max-time",
    "20",
    "-x",
    `socks5://127.0.0.1:${socksPort}`,
    `http://127.0.0.1:${port}/`,
  ]);

/**
 * Uploads and starts a server, works over it with many streams, finds it again after a lost connection, and draws a screen.
 * @param flavour the variable FLAVOUR of a session
 * @param socksPort of two ports that are free
 */
export async function workAsEditor(
  laptop: Laptop,
  host: string,
  flavour: string,
  socksPort: number,
): Promise<void> {
  const folder = join(laptop.folder, `ide-${host}`);
  await mkdir(folder);
  await writeFile(join(folder, "server.py"), server);
  await run("tar", ["-C", folder, "-czf", join(folder, "server.tgz"), "server.py"]);

  // JetBrains looks around over one connection and uploads by sftp over another.
  expect(await laptop.ssh([host, "uname -sm; echo $SHELL; df -Pk ~ | tail -n 1 | wc -l"])).toMatchObject({
    code: 0,
  });
  const upload = `mkdir .ide-server\nput ${join(folder, "server.tgz")} .ide-server/server.tgz\n`;
  expect(
    await run("sftp", ["-F", laptop.configFile, "-b", "-", host], { env: laptop.env, input: upload }),
  ).toMatchObject({ code: 0 });

  const first = await connect(laptop, host, socksPort);
  const streams = await Promise.all(Array.from({ length: 40 }, () => through(socksPort, first.port)));
  expect(streams.map(({ stdout }) => stdout)).toEqual(Array(40).fill(flavour));
  await first.close();

  const second = await connect(laptop, host, socksPort + 1);
  expect([second.pid, second.port]).toEqual([first.pid, first.port]);
  expect((await through(socksPort + 1, second.port)).stdout).toBe(flavour);
  await second.close();

  // The integrated terminal: a login shell with a terminal, in which an editor draws its screen.
  const editor = await laptop.ssh(["-tt", host, "bash -lc 'TERM=xterm vi -c q </dev/tty; echo left'"], {
    input: "",
    timeoutSeconds: 30,
  });
  expect(editor.stdout).toMatch(/left\r\n$/);
}
