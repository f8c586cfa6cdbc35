/** What the proxy itself answers, in words for people. The storages answer everything else. */
export const pages = {
  unknown:
    "404: there is no storage at this address. Write it as /storage/<namespace>/<name>/ and check both names.\n",
  notReady:
    "503: this storage is not served now: it is still being prepared or started, or its accessor is switched off.\n",
  missing: "404: there is no such storage, or no such folder in it.\n",
  login: "401: give the user and password of this storage (Basic), or a token (Bearer).\n",
  forbidden: "403: this is not allowed to you.\n",
  foreign: "403: a page of another site or storage asked for this; open the address itself.\n",
  shareLink:
    "403: links with a token in them are not offered; give the address, and a login to whoever may see it.\n",
  tooLarge: "431: the request's headers are too large; 60 KiB are allowed.\n",
} as const;
