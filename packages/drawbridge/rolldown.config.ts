import { library } from "../rolldown-library.ts";

export default library({
  index: "./src/index.ts",
  "cert-manager": "./src/cert-manager/component.ts",
  stacks: "./src/stacks/program/index.ts",
  plugin: "./src/plugin.ts",
});
