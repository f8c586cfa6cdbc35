/**
 * `npm run docs`: builds the site into docs/.vitepress/dist, and fails at a link that leads nowhere. `npm run docs -- --serve`
 * shows it while it is written.
 */
import { spawnSync } from "node:child_process";

const command = process.argv.includes("--serve") ? "dev" : "build";
const { status } = spawnSync("vitepress", [command, "docs"], { stdio: ["ignore", "inherit", "inherit"] });
process.exitCode = status ?? 1;
