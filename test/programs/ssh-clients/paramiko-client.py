"""Logs in with Paramiko: port, known_hosts, key, a port there. Prints what a command, a shell, sftp and forwards gave."""
import re
import sys

import paramiko

port, known_hosts, key, there = int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
client = paramiko.SSHClient()
client.load_host_keys(known_hosts)
client.set_missing_host_key_policy(paramiko.RejectPolicy())
client.connect("127.0.0.1", port, "jovyan", key_filename=key, allow_agent=False, look_for_keys=False)
print(client.exec_command("echo run")[1].read().decode().strip())
shell = client.invoke_shell()
shell.send(b"echo shell-$((1+1)); exit\n")
print(re.search("shell-2", shell.makefile().read().decode())[0])
sftp = client.open_sftp()
with sftp.open("listened", "w") as file:
    file.write("copied")
print(sftp.open("listened").read().decode())
transport = client.get_transport()
print(transport.open_channel("direct-tcpip", ("127.0.0.1", 22), ("127.0.0.1", 0)).recv(4).decode())
transport.request_port_forward("127.0.0.1", there)
asked = client.exec_command(f"bash -c 'cat </dev/tcp/127.0.0.1/{there}'")[1]
with transport.accept() as channel:
    channel.sendall(b"back")
print(asked.read().decode())
client.close()
