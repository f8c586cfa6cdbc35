import { library } from "../../scripts/lib/library.ts";

export default library(["src/index.ts", "src/cert-manager.ts", "src/stacks/program.ts", "src/plugin.ts"]);
