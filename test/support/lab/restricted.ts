/** What a pod of a team must have, or Pod Security refuses it. */
export const restricted = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  runAsUser: 1000,
  capabilities: { drop: ["ALL"] },
  seccompProfile: { type: "RuntimeDefault" },
};
