"""The same with asyncssh."""
import asyncio
import sys

import asyncssh


async def main(port, known_hosts, key, target):
    async with asyncssh.connect(
        "127.0.0.1", port, username="root", client_keys=[key], known_hosts=known_hosts, config=None
    ) as connection:
        print((await connection.run("echo run", check=True)).stdout.strip())
        async with connection.start_sftp_client() as sftp:
            async with sftp.open(key + ".sftp", "w") as file:
                await file.write("copied")
            async with sftp.open(key + ".sftp") as file:
                print(await file.read())
        reader, writer = await connection.open_connection("127.0.0.1", target)
        print((await reader.read(4)).decode())
        writer.close()


asyncio.run(main(int(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])))
