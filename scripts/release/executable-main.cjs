// What Node runs in the single executable. Node gives such a program no files, so the bundled command's are assets, and
// each is compiled only when it is asked for: all of them together take three times as long as the start of Node.
const { getAsset } = require("node:sea");
const { compileFunction } = require("node:vm");

const parameters = ["exports", "require", "module", "__filename"];
const loaded = new Map();

function load(name) {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  const own = (wanted) => (wanted.startsWith("./") ? load(wanted.slice(2)) : require(wanted));
  const run = compileFunction(getAsset(`dist/${name}`, "utf8"), parameters, { filename: `/${name}` });
  run(module.exports, own, module, `/${name}`);
  return module.exports;
}

load("main.cjs");
