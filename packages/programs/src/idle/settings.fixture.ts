/** Settings of a sleeping container, as its stack writes them, for the unit tests of this folder. */
export const settings = {
  stopAfter: 60,
  silentSessions: 60,
  warning: 0,
  keepAwake: [],
  wake: "onConnect",
  maxHold: 60,
  port: 22,
  running: true,
  dryRun: false,
  gateway: "gw/gw",
  reportEvery: 10,
};
