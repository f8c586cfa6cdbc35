/** What the pods of `doctor --network` run, in Python. */

const port = 8080;

/** Accepts connections. */
export const listener = `import socket
if socket.has_dualstack_ipv6(): server = socket.create_server(("", ${port}), family=socket.AF_INET6, dualstack_ipv6=True)
else: server = socket.create_server(("", ${port}))
while True: server.accept()[0].close()`;

/** Says whether a connection is accepted. */
export const speaker = `import socket, sys
try:
    socket.create_connection((sys.argv[1], ${port}), timeout=3).close()
    print("reached")
except OSError: print("refused")`;
