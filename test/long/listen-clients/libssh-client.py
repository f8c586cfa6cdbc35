"""The same with libssh, by the package ssh-python, which asks for no known_hosts but the user's: the line is compared."""
import os
import socket
import sys

from ssh.key import import_privkey_file
from ssh.session import Session
from ssh import options

port, known_hosts, key = int(sys.argv[1]), sys.argv[2], sys.argv[3]
connection = socket.create_connection(("127.0.0.1", port))
session = Session()
session.options_set(options.HOST, "127.0.0.1")
session.options_set(options.USER, "root")
session.options_set_port(port)
session.set_socket(connection)
session.connect()
with open(known_hosts) as lines:
    known = [line.split()[2] for line in lines if line.startswith(f"[127.0.0.1]:{port} ")]
shown = session.get_server_publickey().export_pubkey_base64()
if shown not in (known[0], known[0].encode()):
    sys.exit("Host key is not known")
session.userauth_publickey(import_privkey_file(key))


def read(channel):
    return channel.read()[1]


channel = session.channel_new()
channel.open_session()
channel.request_exec("echo run")
print(read(channel).decode().strip())
sftp = session.sftp_new()
sftp.init()
with sftp.open(key + ".sftp", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600) as file:
    file.write(b"copied")
with sftp.open(key + ".sftp", os.O_RDONLY, 0) as file:
    print(file.read(6)[1].decode())
forward = session.channel_new()
forward.open_forward("127.0.0.1", int(sys.argv[4]), "127.0.0.1", 0)
print(read(forward)[:4].decode())
