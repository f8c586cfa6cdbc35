export * from "./common/index.ts";
export * from "./container/index.ts";
export * from "./frp/index.ts";
export * from "./gateway/index.ts";
export * from "./ssh/index.ts";
export * from "./sshpod/index.ts";
export * from "./storage/index.ts";
export * from "./storage-proxy/index.ts";
