const { writeMade } = await import("./lib/made.ts");
const { pluginSchema } = await import("./lib/plugin-schema.ts");
writeMade(pluginSchema());
console.log("made");
