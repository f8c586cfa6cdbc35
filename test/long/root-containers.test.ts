/** Containers inside a container, as a developer by ssh: what podman and docker's own command do there, row by row. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { imageRef } from "../../packages/lab/src/images/index.ts";
import { freePort } from "../../scripts/lib/free-port.ts";
import { eventually, getObject, run } from "../../scripts/lib/lab/lab.ts";
import { pageBlock } from "../../scripts/lib/pages/page-blocks.ts";
import { podNetwork } from "../support/lab/cluster.ts";
import { type EngineRow, engineRows } from "../support/stacks/engine-rows.ts";
import { type EngineStack, engineStack, withEngine } from "./engine-stack.fixture.ts";

const team = "team-engine";
let engine: EngineStack;

beforeAll(async () => {
  const egress = { allow: [{ cidr: podNetwork }] };
  engine = await engineStack(team, { dev: { ...withEngine(team), egress } });
  await engine.stack.laptop.scp(["-q", engine.baseArchive, "dev:base.tar"], 300);
  await eventually("the engine", async () => (await inside("docker version")).code === 0, 60);
  expect(
    await said(`docker load -qi base.tar && docker tag ${imageRef("busybox")} localhost/base`),
  ).toContain("busybox");
});
afterAll(() => engine?.close());

const inside = (script: string) =>
  engine.stack.laptop.ssh(["dev", "sh"], { input: script, timeoutSeconds: 120 });

/** All that a script says, errors included. */
async function said(script: string): Promise<string> {
  return (await inside(`{ ${script}\n} 2>&1`)).stdout;
}

const bothWays = engineRows.flatMap((row) =>
  (row.by === undefined ? (["podman", "docker"] as const) : [row.by]).map(
    (by): [name: string, row: EngineRow, by: string] => [`${by}: ${row.name}`, row, by],
  ),
);

describe("the table", () => {
  it("has at least thirty rows", () => {
    expect(engineRows.length).toBeGreaterThanOrEqual(30);
    expect(new Set(engineRows.map(({ name }) => name)).size).toBe(engineRows.length);
  });

  it.each(bothWays)("%s", async (_name, { script, says }, by) => {
    const output = await said(`E=${by}\n${script}`);
    if (typeof says === "string") expect(output).toBe(says);
    else expect(output).toMatch(says);
  });
});

describe("what it is", () => {
  it("is nobody on the node, as everything of the pod", async () => {
    const { spec } = await getObject<{ spec: { hostUsers?: boolean } }>(["-n", team, "pod", "dev-0"]);
    expect(spec.hostUsers).toBe(false);
    const map = await said("docker run --rm localhost/base cat /proc/self/uid_map");
    const [first, outside, count] = map.trim().split(/\s+/).map(Number);
    expect({ first, count }).toEqual({ first: 0, count: 65_536 });
    expect(outside).toBeGreaterThanOrEqual(65_536);
  });
});

describe("a port that is published", () => {
  it("is reached by ssh -L", async () => {
    const page = "mkdir /w; echo forwarded >/w/index.html; exec httpd -f -p 80 -h /w";
    await said(`docker run -d --name forwarded -p 8090:80 localhost/base sh -c '${page}'`);
    const port = await freePort();
    const { configFile, env } = engine.stack.laptop;
    const tunnel = spawn("ssh", ["-F", configFile, "-N", "-L", `${port}:127.0.0.1:8090`, "dev"], {
      env: { ...process.env, ...env },
      stdio: "ignore",
    });
    try {
      const answer = await eventually("the page", async () => {
        const { code, stdout } = await run("curl", ["-fsS", `http://127.0.0.1:${port}/`]);
        return code === 0 ? stdout : undefined;
      });
      expect(answer).toBe("forwarded\n");
    } finally {
      tunnel.kill();
      await said("docker rm -f forwarded");
    }
  });
});

const compose = `services:
  web:
    build: .
    depends_on: [data]
    environment: { FROM: compose }
  data:
    image: localhost/base
    command: sh -c 'mkdir -p /w; echo stored >/w/index.html; exec httpd -f -p 80 -h /w'
    volumes: ["kept:/w"]
    networks: [default, back]
  other:
    image: localhost/base
    command: sleep 600
    networks: [back]
volumes:
  kept: {}
networks:
  back: {}
`;
const dockerfile = "FROM localhost/base\nCMD sleep 600\n";

describe("docker compose", () => {
  it("builds, starts three services with a network and a volume, and takes them away", async () => {
    const files = `rm -rf ~/app; mkdir ~/app; cd ~/app; cat >compose.yaml <<'END'\n${compose}END\ncat >Dockerfile <<'END'\n${dockerfile}END\n`;
    const up = await inside(`${files}docker compose up -d --build 2>&1`);
    expect(up).toMatchObject({ code: 0 });
    expect(await said("cd ~/app; docker compose ps --format '{{.Service}} {{.State}}' | sort")).toBe(
      "data running\nother running\nweb running\n",
    );
    expect(
      await said("cd ~/app; docker compose exec -T web sh -c 'echo $FROM; wget -qO- http://data/'"),
    ).toBe("compose\nstored\n");
    // Only who is on a network finds its names.
    expect(await said("cd ~/app; docker compose exec -T other wget -qO- http://data/")).toBe("stored\n");
    expect(await said("cd ~/app; docker compose exec -T other wget -qO- http://web/")).toMatch(/bad address/);
    expect((await inside("cd ~/app; docker compose down --volumes")).code).toBe(0);
    expect(await said("docker ps -aq; docker volume ls -q; docker network ls --format '{{.Name}}'")).toBe(
      "bridge\n",
    );
  });
});

describe("a registry", () => {
  it.each(["podman", "docker"])("takes what %s pushes, and gives it back", async (by) => {
    const name = `${engine.registry}/team/pushed:${by}`;
    // It has no certificate; the engine is told so as on every machine.
    const insecure = `printf '[[registry]]\nlocation = "${engine.registry}"\ninsecure = true\n' | sudo tee /etc/containers/registries.conf.d/lab.conf >/dev/null`;
    // The engine has read its registries already; told to read them again (HUP), podman 5.4 forgets where volumes are.
    const there = `E=${by}; ${insecure}; sudo pkill -x podman; until docker version >/dev/null 2>&1; do sleep 0.2; done; $E tag localhost/base ${name}; $E push ${name} >/dev/null 2>&1; echo $?; $E rmi ${name} >/dev/null`;
    expect(await said(there)).toBe("0\n");
    expect(await said(`curl -sS http://${engine.registry}/v2/team/pushed/tags/list`)).toContain(`"${by}"`);
    expect(
      await said(
        `${by} pull ${name} >/dev/null 2>&1; ${by} run --rm ${name} echo pulled; ${by} rmi ${name} >/dev/null`,
      ),
    ).toBe("pulled\n");
  });
});

describe("a devcontainer.json", () => {
  const configuration = {
    build: { dockerfile: "Dockerfile" },
    overrideCommand: true,
    updateRemoteUserUID: false,
    containerEnv: { FROM: "devcontainer" },
    postCreateCommand: "echo made >/tmp/made",
  };

  // The lab's small image has no accounts.
  const image = ["FROM localhost/base", "RUN mkdir -p /etc && echo root:x:0:0::/:/bin/sh >/etc/passwd"];

  it("is brought up by the reference command, as the page has it", async () => {
    const shown = await pageBlock("docs/containers-inside.md", "sh", "devcontainer up");
    const [install, up = "", exec = ""] = shown.trim().split("\n");
    expect(install).toBe("npm install --global @devcontainers/cli");
    // There is no registry of packages in the lab: Node.js and the command come by scp.
    const { laptop } = engine.stack;
    const command = fileURLToPath(new URL("../../node_modules/@devcontainers/cli", import.meta.url));
    expect(await laptop.scp(["-q", process.execPath, "dev:node"], 300)).toMatchObject({ code: 0 });
    expect(await laptop.scp(["-qr", command, "dev:devcontainers"], 300)).toMatchObject({ code: 0 });
    const wrapper = '#!/bin/sh\nexec $HOME/node $HOME/devcontainers/devcontainer.js "$@"\n';
    const project = [
      `printf '${wrapper.replaceAll("\n", "\\n")}' | sudo tee /usr/local/bin/devcontainer >/dev/null`,
      "sudo chmod 755 /usr/local/bin/devcontainer; rm -rf ~/project; mkdir -p ~/project/.devcontainer; cd ~/project",
      `echo '${JSON.stringify(configuration)}' >.devcontainer/devcontainer.json; echo mine >file`,
      `printf '${image.join("\\n")}\\n' >.devcontainer/Dockerfile`,
    ].join("\n");
    const made = await inside(`${project}\n${up}`);
    expect(made).toMatchObject({ code: 0 });
    expect(JSON.parse(made.stdout)).toMatchObject({ outcome: "success", remoteUser: "root" });
    const shell = exec.replace(/bash$/, "sh -c 'cat /tmp/made; echo $FROM; cat file'");
    expect((await inside(`cd ~/project; ${shell}`)).stdout).toBe("made\ndevcontainer\nmine\n");
    await said("docker rm -f $(docker ps -q --filter label=devcontainer.local_folder)");
  });
});

describe("the walls", () => {
  it("hold for containers inside as for the container", async () => {
    const open = `wget -qO- -T 3 http://${engine.registry}/v2/ && echo reached`;
    expect(await said(`docker run --rm localhost/base sh -c '${open}'`)).toContain("reached");
    await engine.stack.up({ dev: { ...withEngine(team) } });
    await eventually("the engine", async () => (await inside("docker version")).code === 0, 90);
    expect(await said(`docker run --rm localhost/base sh -c '${open}'`)).toMatch(/timed out/);
    expect(await said(`docker run --rm --network host localhost/base sh -c '${open}'`)).toMatch(/timed out/);
  });
});

describe("with sshd injected", () => {
  it("root by key starts containers in an image that knows nothing of us", async () => {
    const { stack, baseArchive } = engine;
    const own = {
      ...withEngine(team),
      ssh: { mode: "injected", image: imageRef("sshd-bundle") },
      user: { name: "root", uid: 0, gid: 0 },
    } as const;
    await stack.up({ ...stack.containers, own });
    await stack.output("own", "true");
    expect(await stack.laptop.scp(["-q", baseArchive, "own:base.tar"], 300)).toMatchObject({ code: 0 });
    const engineThere = async () => (await stack.ssh("own", "docker version")).code === 0;
    await eventually("the engine", engineThere, 90);
    const load = `docker load -qi base.tar >/dev/null && docker tag ${imageRef("busybox")} localhost/base`;
    expect(await stack.output("own", `${load} && docker run --rm localhost/base echo inside; id -un`)).toBe(
      "inside\nroot\n",
    );
    const { own: _, ...rest } = stack.containers;
    await stack.up(rest);
  });
});

describe("after the pod's deletion", () => {
  it("images, volumes and what restarts always are there", async () => {
    const page = "mkdir -p /w; echo still >/w/index.html; exec httpd -f -p 80 -h /w";
    await said(`docker run -d --restart always --name still -p 8091:80 localhost/base sh -c '${page}'`);
    await said("docker run --rm -v lasting:/d localhost/base sh -c 'echo lasts >/d/x'");
    await engine.stack.restart("dev");
    await eventually("the engine", async () => (await inside("docker version")).code === 0, 90);
    expect(await said("docker run --rm -v lasting:/d localhost/base cat /d/x")).toBe("lasts\n");
    expect(await said("docker ps --format '{{.Names}}'; curl -sS http://127.0.0.1:8091/")).toBe(
      "still\nstill\n",
    );
    await said("docker rm -f still; docker volume rm lasting");
  });
});
