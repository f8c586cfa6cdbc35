import { type SshTarget, sshTargetKind } from "@drawbridge-iac/drawbridge/src/host/client-texts/target";

/** A container as a stack's outputs name it. */
export const sshTarget = (changes: Partial<SshTarget> = {}): SshTarget => ({
  kind: sshTargetKind,
  name: "dev1",
  namespace: "team-a",
  user: "jovyan",
  hostName: "dev1.team-a.dev.example.com",
  port: 22,
  hostKeys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIMzn8ZsYK2ta7Ik8kk/fMV0VXJQaTnwc2OmoRjXTVvIJ"],
  ways: [{ way: "sshpod", pod: "dev1-0", namespace: "team-a" }],
  home: "/home/jovyan",
  ...changes,
});
