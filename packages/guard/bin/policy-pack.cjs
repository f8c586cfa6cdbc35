// What Pulumi starts as a policy pack: the built one, or in a clone its sources.
const { existsSync } = require("node:fs");
const { join } = require("node:path");

const isBuilt = existsSync(join(__dirname, "..", "dist", "policy-pack.js"));
module.exports = () => import(isBuilt ? "../dist/policy-pack.js" : "../src/policy-pack.ts");
