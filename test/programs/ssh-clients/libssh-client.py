"""The same with libssh, by the package ssh-python, which asks for no known_hosts but the user's: the line is compared."""
import os
import re
import socket
import sys

from ssh.key import import_privkey_file
from ssh.session import Session
from ssh import options

port, known_hosts, key, there = int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
connection = socket.create_connection(("127.0.0.1", port))
session = Session()
session.options_set(options.HOST, "127.0.0.1")
session.options_set(options.USER, "jovyan")
session.options_set_port(port)
session.set_socket(connection)
session.connect()
with open(known_hosts) as lines:
    known = [line.split()[2] for line in lines if line.startswith(f"[127.0.0.1]:{port} ")]
shown = session.get_server_publickey().export_pubkey_base64()
if shown not in (known[0], known[0].encode()):
    sys.exit("Host key is not known")
session.userauth_publickey(import_privkey_file(key))


def opened():
    channel = session.channel_new()
    channel.open_session()
    return channel


def read(channel):
    text = b""
    while not channel.is_eof():
        text += channel.read()[1]
    return text.decode()


def run(command):
    channel = opened()
    channel.request_exec(command)
    return channel


print(read(run("echo run")).strip())
shell = opened()
shell.request_pty()
shell.request_shell()
shell.write(b"echo shell-$((1+1)); exit\n")
print(re.search("shell-2", read(shell))[0])
sftp = session.sftp_new()
sftp.init()
with sftp.open("listened", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600) as file:
    file.write(b"copied")
with sftp.open("listened", os.O_RDONLY, 0) as file:
    print(file.read(6)[1].decode())
forward = session.channel_new()
forward.open_forward("127.0.0.1", 22, "127.0.0.1", 0)
print(forward.read()[1][:4].decode())
session.listen_forward("127.0.0.1", there, there)
asked = run(f"bash -c 'cat </dev/tcp/127.0.0.1/{there}'")
channel = session.accept_forward(20_000, there)
channel.write(b"back")
channel.send_eof()
channel.close()
print(read(asked))
