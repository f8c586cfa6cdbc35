"""The same with asyncssh."""
import asyncio
import re
import sys

import asyncssh


async def back(reader, writer):
    writer.write("back")
    writer.close()


async def main(port, known_hosts, key, there):
    async with asyncssh.connect(
        "127.0.0.1", port, username="jovyan", client_keys=[key], known_hosts=known_hosts, config=None
    ) as connection:
        print((await connection.run("echo run", check=True)).stdout.strip())
        shell = await connection.run(input="echo shell-$((1+1)); exit\n", term_type="xterm")
        print(re.search("shell-2", shell.stdout)[0])
        async with connection.start_sftp_client() as sftp:
            async with sftp.open("listened", "w") as file:
                await file.write("copied")
            async with sftp.open("listened") as file:
                print(await file.read())
        reader, writer = await connection.open_connection("127.0.0.1", 22)
        print((await reader.read(4)).decode())
        writer.close()
        await connection.start_server(lambda *_: back, "127.0.0.1", there, encoding="utf-8")
        print((await connection.run(f"bash -c 'cat </dev/tcp/127.0.0.1/{there}'", check=True)).stdout)


asyncio.run(main(int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])))
