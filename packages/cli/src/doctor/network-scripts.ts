/** What the pods of `doctor --network` run, in Python. */

const port = 8080;

/** Answers a connection with the addresses from which datagrams came. */
export const listener = `import socket, threading
seen = set()
def datagrams():
    udp = socket.socket(socket.AF_INET6 if socket.has_dualstack_ipv6() else socket.AF_INET, socket.SOCK_DGRAM)
    if udp.family == socket.AF_INET6: udp.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    udp.bind(("", ${port}))
    while True: seen.add(udp.recvfrom(16)[1][0].removeprefix("::ffff:"))
threading.Thread(target=datagrams, daemon=True).start()
if socket.has_dualstack_ipv6(): server = socket.create_server(("", ${port}), family=socket.AF_INET6, dualstack_ipv6=True)
else: server = socket.create_server(("", ${port}))
while True:
    connection, _ = server.accept()
    with connection: connection.sendall("\\n".join(seen).encode())`;

const connect = `import socket, sys
with socket.create_connection((sys.argv[1], ${port}), timeout=3) as connection: answer = connection.makefile().read()`;

/** Says whether a connection is accepted. */
export const speaker = `try:
${connect.replace(/^/gm, "    ")}
    print("reached")
except OSError: print("refused")`;

/** Says whether a datagram came from an address. */
export const finder = `${connect}
print("seen" if sys.argv[2] in answer.split() else "not seen")`;

/** Sets an address on the pod's interface by netlink, as \`ip address add\` does, and sends from it. */
export const sender = `import socket, struct, sys
to, taken = sys.argv[1:]
family = socket.AF_INET6 if ":" in taken else socket.AF_INET
address = socket.inet_pton(family, taken)
attribute = lambda kind: struct.pack("HH", 4 + len(address), kind) + address
body = struct.pack("BBBBi", family, 8 * len(address), 0, 0, socket.if_nametoindex("eth0")) + attribute(1) + attribute(2)
netlink = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
netlink.send(struct.pack("IHHII", 16 + len(body), 20, 0x605, 1, 0) + body)
error = struct.unpack("i", netlink.recv(64)[16:20])[0]
if error: sys.exit(f"the address cannot be set: {error}")
udp = socket.socket(family, socket.SOCK_DGRAM)
udp.bind((taken, 0))
for _ in range(3): udp.sendto(b"taken", (to, ${port}))
print("sent")`;
