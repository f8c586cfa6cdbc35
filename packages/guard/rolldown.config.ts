import { library } from "../rolldown-library.ts";

export default library({
  index: "./src/index.ts",
  main: "./src/main.ts",
  "policy-pack": "./src/policy-pack.ts",
});
