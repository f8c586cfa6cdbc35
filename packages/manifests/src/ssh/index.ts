export * from "./authorized-keys.ts";
export * from "./host-key.ts";
export * from "./known-hosts.ts";
export * from "./ssh-config.ts";
