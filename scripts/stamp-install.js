// Run by npm after every install: remembers which lock file node_modules was made from, for scripts/run.
import { copyFileSync } from "node:fs";

copyFileSync("package-lock.json", "node_modules/.installed-lock.json");
