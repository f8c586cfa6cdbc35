// Made by `npm run docs` from the schemas in packages/drawbridge/src; change those.
export * from "./dev-container.ts";
export * from "./frp-server.ts";
export * from "./injected-sshd.ts";
export * from "./shared.ts";
export * from "./ssh-gateway.ts";
export * from "./ssh-route.ts";
export * from "./storage-accessor.ts";
export * from "./storage-proxy.ts";
export * from "./team.ts";
