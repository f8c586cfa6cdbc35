"""Logs in with Paramiko: port, known_hosts, key. Prints what a command, sftp and a forward gave."""
import sys

import paramiko

port, known_hosts, key = int(sys.argv[1]), sys.argv[2], sys.argv[3]
client = paramiko.SSHClient()
client.load_host_keys(known_hosts)
client.set_missing_host_key_policy(paramiko.RejectPolicy())
client.connect("127.0.0.1", port, "root", key_filename=key, allow_agent=False, look_for_keys=False)
print(client.exec_command("echo run")[1].read().decode().strip())
sftp = client.open_sftp()
with sftp.open(key + ".sftp", "w") as file:
    file.write("copied")
print(sftp.open(key + ".sftp").read().decode())
channel = client.get_transport().open_channel("direct-tcpip", ("127.0.0.1", int(sys.argv[4])), ("127.0.0.1", 0))
print(channel.recv(4).decode())
client.close()
