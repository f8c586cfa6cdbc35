/** What the proxy itself answers, in words for people. The storages answer everything else. */
export const pages = {
  unknown:
    "404: there is no storage at this address. Write it as /storage/<namespace>/<name>/ and check both names.\n",
  notReady:
    "503: this storage is not served now: it is still being prepared or started, or its accessor is switched off.\n",
  tooLarge: "431: the request's headers are too large; 60 KiB are allowed.\n",
} as const;
