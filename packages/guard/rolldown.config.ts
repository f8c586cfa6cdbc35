import { library } from "../../scripts/lib/library.ts";

export default library(["src/index.ts", "src/main.ts", "src/policy-pack.ts"]);
