/** What the trials of all hosts share. */
const key = (name: string, body: string) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${body} ${name}`;
export const alice = key("alice", "COp7m/T0uXYQbLaxCyYOBnH+nILl2oMszTc7NNkhxbN");
export const bob = key("bob", "IP3TcP/v/rkBFKgLWYo7EA03cRWd3p9llb7pjptlfgB");
export const image = "registry.example.com/team/image:1.0.0";

export const gateway = {
  name: "gw",
  namespace: "gw",
  domain: "dev.example.com",
  plainPort: 80,
  address: "192.0.2.7",
};

/** What every container of the trials has, besides its name. */
export const containerBase = {
  namespace: "team-a",
  image,
  authorizedKeys: [alice],
  hostKey: { seed: "only-for-tests-0123456789abcdef0123456789abcdef" },
  home: { size: "1Gi" },
  access: { gateway },
};
