// Inside a container: tunnels by a proxy. `connects` opens so many a second and tells how long each took; `hold` opens one for
// each login and holds them until standard input ends.
const { connect } = require("node:net");

const [, mode, address, authority, ...rest] = process.argv;
const [host, port] = address.split(":");

/** Calls back with the socket, or without one if it was refused. */
function open(login, done) {
  const socket = connect(Number(port), host);
  let isDone = false;
  const end = (opened) => {
    if (isDone) return;
    isDone = true;
    done(opened);
  };
  socket.setNoDelay().setTimeout(20_000, () => socket.destroy());
  socket.on("error", () => {}).on("close", () => end());
  socket.on("connect", () => {
    socket.write(
      `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\nProxy-Authorization: ${login}\r\n\r\n`,
    );
  });
  socket.once("data", (answer) => {
    socket.setTimeout(0);
    if (answer.toString("latin1").startsWith("HTTP/1.1 200")) end(socket);
    else socket.destroy();
  });
}

if (mode === "connects") {
  const [rate, seconds, login] = rest;
  const count = rate * seconds;
  const took = [];
  let begun = 0;
  let ended = 0;
  const start = performance.now();
  const timer = setInterval(() => {
    // What the clock has missed is caught up.
    const due = Math.min(count, ((performance.now() - start) / 1000) * rate);
    while (begun < due) {
      begun += 1;
      const began = performance.now();
      open(login, (socket) => {
        if (socket) took.push((performance.now() - began) / 1000);
        socket?.destroy();
        ended += 1;
        if (ended === count) console.log(JSON.stringify({ took, lost: count - took.length }));
      });
    }
    if (begun === count) clearInterval(timer);
  }, 1);
} else {
  let input = "";
  process.stdin.on("data", (chunk) => {
    input += chunk;
    if (!input.endsWith("\n")) return;
    const logins = input.trim().split(",");
    let left = logins.length;
    let held = 0;
    const next = () => {
      const login = logins.pop();
      if (login === undefined) return;
      open(login, (socket) => {
        if (socket) held += 1;
        left -= 1;
        if (left === 0) console.log(`held ${held}`);
        next();
      });
    };
    for (let turn = 0; turn < 50; turn += 1) next();
  });
  process.stdin.on("end", () => process.exit(0));
}
