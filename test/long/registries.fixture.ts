/** Registries of every tool's own kind as files below one folder, all with one package, which says hello. */
import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { typed } from "../../scripts/lib/lab/lab.ts";
import { debianRepository } from "./debian-packages.fixture.ts";
import { wheel, writeFiles, writeGreeters } from "./greeters.fixture.ts";

const crate = {
  "Cargo.toml": '[package]\nname = "greeter"\nversion = "1.0.0"\nedition = "2021"\n',
  "src/main.rs": 'fn main() { println!("hello from Rust"); }\n',
};
const goModule = "module example.com/greeter\n\ngo 1.21\n";

/** @param hosts by whose names packages are fetched: some registries name themselves */
export async function writeRegistries(folder: string, hosts: readonly string[]): Promise<void> {
  const made = await mkdtemp(join(tmpdir(), "drawbridge-registries-"));
  try {
    await writeGreeters(made);
    await writeFiles(join(made, "greeter-1.0.0"), crate);
    await typed("tar -czf greeter.crate greeter-1.0.0", { cwd: made });
    const module = "example.com/greeter@v1.0.0";
    await writeFiles(join(made, module), { "go.mod": goModule, greeting: "hello from Go\n" });
    // Without entries for folders, which Go refuses.
    const zip = `import sys, zipfile; z = zipfile.ZipFile("module.zip", "w"); [z.write(path) for path in sys.argv[1:]]`;
    await typed(`python3 -c '${zip}' ${module}/go.mod ${module}/greeting`, { cwd: made });
    await writeFiles(folder, {
      "hello.txt": "hello from a file\n",
      "simple/greeter/index.html": `<a href="/files/${wheel}">${wheel}</a>`,
      "maven/com/example/greeter/1/greeter-1.pom":
        "<project><modelVersion>4.0.0</modelVersion><groupId>com.example</groupId><artifactId>greeter</artifactId><version>1</version><packaging>pom</packaging><name>hello from Maven</name></project>",
      "go/example.com/greeter/@v/list": "v1.0.0\n",
      "go/example.com/greeter/@v/v1.0.0.info": JSON.stringify({ Version: "v1.0.0" }),
      "go/example.com/greeter/@v/v1.0.0.mod": goModule,
    });
    for (const name of [wheel, "greeter.tgz", "greeter.crate"])
      await copyFile(join(made, name), join(folder, name));
    await copyFile(join(made, "module.zip"), join(folder, "go/example.com/greeter/@v/v1.0.0.zip"));
    const cksum = createHash("sha256")
      .update(await readFile(join(made, "greeter.crate")))
      .digest("hex");
    for (const host of hosts) {
      const dist = { tarball: `https://${host}/files/greeter.tgz` };
      const versions = {
        "1.0.0": { name: "greeter", version: "1.0.0", bin: { "greet-node": "greet.js" }, dist },
      };
      const line = { name: "greeter", vers: "1.0.0", deps: [], cksum, features: {}, yanked: false };
      await writeFiles(folder, {
        [`npm/${host}/greeter`]: JSON.stringify({
          name: "greeter",
          "dist-tags": { latest: "1.0.0" },
          versions,
        }),
        [`crates/${host}/config.json`]: JSON.stringify({ dl: `https://${host}/files/{crate}.crate` }),
        [`crates/${host}/gr/ee/greeter`]: `${JSON.stringify(line)}\n`,
      });
    }
    await mkdir(join(folder, "debian"));
    for (const [name, content] of Object.entries(await debianRepository()))
      await writeFile(join(folder, "debian", name), content);
    const commit = "git -c user.name=x -c user.email=x@example.com commit -qm greeting";
    const repository = join(folder, "greeter.git");
    await writeFiles(join(made, "git"), { greeting: "hello from git\n" });
    await typed(`git init -qb main && git add . && ${commit}`, { cwd: join(made, "git") });
    await typed(`git clone -q --bare git ${repository} && git -C ${repository} update-server-info`, {
      cwd: made,
    });
  } finally {
    await rm(made, { recursive: true, force: true });
  }
}
