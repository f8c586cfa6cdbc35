/** A container in a stack's outputs at whose address nothing listens, so that a client gets as far as connecting. */
import { sshTargetKind } from "@drawbridge-iac/manifests";

export const unreachableTarget = {
  kind: sshTargetKind,
  name: "dev1",
  namespace: "team-a",
  user: "jovyan",
  hostName: "dev1.team-a.dev.example.com",
  port: 22,
  hostKeys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMzn8ZsYK2ta7Ik8kk/fMV0VXJQaTnwc2OmoRjXTVvIJ"],
  ways: [{ way: "gateway", address: "127.0.0.1", port: 1 }],
  home: "/home/jovyan",
};
