import { library } from "../../scripts/lib/library.ts";

export default library({
  index: "./src/index.ts",
  main: "./src/main.ts",
  "policy-pack": "./src/policy-pack.ts",
});
