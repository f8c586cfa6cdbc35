/** The release of the official provider whose behaviour the stand-in follows, and which is installed where it can be. */
export const KUBERNETES_PROVIDER_VERSION = "4.34.2";
