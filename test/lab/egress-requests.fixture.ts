/** What is sent to the proxy as it stands; `@OWN@` is the container's own login. */

export const connect = (target: string, headers = "@OWN@", version = "1.1") =>
  `CONNECT ${target} HTTP/${version}\r\nHost: ${target}\r\n${headers}\r\n\r\n`;
const get = (address: string, host = "ok.test", headers = "@OWN@") =>
  `GET ${address} HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\nConnection: close\r\n\r\n`;

/** Each is sent as it stands; the twins in between show that the proxy works. */
export const bypasses: [what: string, text: string, outcome: RegExp][] = [
  ["twin", connect("ok.test:443"), /200/],
  ["twin: HTTP/1.0", connect("ok.test:443", "@OWN@", "1.0"), /200/],
  ["twin: upper case", connect("OK.Test:443"), /200/],
  ["twin: the last dot", connect("ok.test.:443"), /200/],
  ["twin: absolute form", get("http://ok.test/"), /200/],
  ["twin: a port of its own", connect("git.test:22"), /200/],
  ["IPv4", connect("198.51.100.10:443"), /403/],
  ["IPv4 in decimal", connect("3325256714:443"), /403/],
  ["IPv4 in hexadecimal", connect("0xC633640A:443"), /403/],
  ["IPv4 in octal", connect("0306.063.0144.012:443"), /403/],
  ["IPv4 in mixed parts", connect("0xc6.51.100.10:443"), /403/],
  ["IPv4 cut short", connect("127.1:443"), /403/],
  ["zero", connect("0:443"), /403/],
  ["localhost", connect("localhost:15021"), /403/],
  ["loopback", connect("127.0.0.1:3128"), /403/],
  ["metadata", connect("169.254.169.254:80"), /403/],
  ["IPv6", connect("[2001:db8::1]:443"), /40[03]/],
  ["IPv6 loopback", connect("[::1]:443"), /40[03]/],
  ["IPv4 mapped", connect("[::ffff:198.51.100.10]:443"), /40[03]/],
  ["IPv6 with a zone", connect("[fe80::1%25eth0]:443"), /40[03]/],
  ["a Service by its name", connect("kubernetes.default.svc.cluster.local:443"), /403/],
  ["a short name", connect("kubernetes:443"), /403/],
  ["two last dots", connect("ok.test..:443"), /40[03]/],
  ["a dot before", connect(".ok.test:443"), /403/],
  ["the wildcard itself", connect("*.wild.test:443"), /40[03]/],
  ["a name that ends like one", connect("notok.test:443"), /403/],
  ["a name that begins like one", connect("ok.test.evil.test:443"), /403/],
  ["a hyphen for the wildcard's dot", connect("x-wild.test:443"), /403/],
  ["punycode that is another name", connect("xn--k-1ea.test:443"), /403/],
  ["another alphabet", connect("\u00f6k.test:443"), /40[03]/],
  ["percent", connect("ok%2etest:443"), /40[03]/],
  ["percent NUL", connect("ok.test%00.evil.test:443"), /40[03]/],
  ["NUL", connect("ok.test\0:443"), /400/],
  ["a tab", connect("ok.test\t:443"), /400|closed/],
  ["an underscore", connect("_.ok.test:443"), /40[03]/],
  ["no port", connect("ok.test"), /40[03]/],
  ["port 0", connect("ok.test:0"), /40[03]/],
  ["port 22", connect("ok.test:22"), /403/],
  ["a port that is too large", connect("ok.test:65979"), /40[03]/],
  ["a port with a sign", connect("ok.test:+443"), /40[03]/],
  ["a port with zeros", connect("ok.test:00443"), /40[03]/],
  ["two ports", connect("ok.test:443:22"), /40[03]/],
  ["userinfo", connect("ok.test@other.test:443"), /40[03]/],
  ["userinfo with a port", connect("ok.test:443@other.test:443"), /40[03]/],
  ["a path in CONNECT", connect("ok.test:443/../other.test"), /40[03]/],
  ["a scheme in CONNECT", connect("https://ok.test:443"), /40[03]/],
  [
    "CONNECT with another Host",
    "CONNECT other.test:443 HTTP/1.1\r\nHost: ok.test:443\r\n@OWN@\r\n\r\n",
    /403/,
  ],
  ["absolute form with another Host", get("http://other.test/", "ok.test"), /403/],
  ["absolute form with userinfo", get("http://ok.test@other.test/"), /40[03]/],
  ["absolute form of https", get("https://ok.test/"), /403/],
  ["absolute form of ftp", get("ftp://ok.test/"), /40[03]/],
  ["two Hosts", `GET / HTTP/1.1\r\nHost: ok.test\r\nHost: other.test\r\n@OWN@\r\n\r\n`, /40[03]/],
  ["no Host", "GET / HTTP/1.1\r\n@OWN@\r\n\r\n", /40[03]/],
  ["origin form with an address", get("/", "198.51.100.10"), /403/],
  ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", /400|505|closed/],
  [
    "a length and chunks",
    get("http://ok.test/", "ok.test", "@OWN@\r\nContent-Length: 5\r\nTransfer-Encoding: chunked"),
    /400/,
  ],
  ["CONNECT with chunks", connect("ok.test:443", "@OWN@\r\nTransfer-Encoding: chunked"), /40[03]|501/],
  ["a header with a space", get("http://other.test/", "ok.test", "@OWN@\r\nHost : ok.test"), /40[03]/],
  ["a folded header", get("http://other.test/", "ok.test", "@OWN@\r\n ok.test"), /40[037]/],
  ["a line that ends in LF alone", "CONNECT other.test:443 HTTP/1.1\nHost: ok.test\n@OWN@\n\n", /40[03]/],
  [
    "Envoy's own headers",
    connect("other.test:443", "@OWN@\r\nx-envoy-original-dst-host: 198.51.100.10:443"),
    /403/,
  ],
  [
    "another's destination",
    get("http://ok.test/", "other.test", "@OWN@\r\nx-envoy-original-dst-host: 10.96.0.1:443"),
    /200/,
  ],
  [
    "a decision of one's own",
    connect(
      "other.test:443",
      "@OWN@\r\nx-egress-dst: 198.51.100.10:443\r\nx-ext-authz-check-result: allowed",
    ),
    /403/,
  ],
  ["TRACE of another", "TRACE http://other.test/ HTTP/1.1\r\nHost: other.test\r\n@OWN@\r\n\r\n", /403/],
  ["OPTIONS of everything", "OPTIONS * HTTP/1.1\r\nHost: other.test\r\n@OWN@\r\n\r\n", /404/],
  ["a method in lower case", connect("other.test:443").replace("CONNECT", "connect"), /40[03]/],
  ["HTTP/0.9", "GET http://other.test/\r\n\r\n", /407/],
  [
    "UDP by an upgrade",
    get(
      "http://other.test/.well-known/masque/udp/198.51.100.10/443/",
      "other.test",
      "@OWN@\r\nUpgrade: connect-udp",
    ),
    /403/,
  ],
  ["twin", connect("ok.test:443"), /200/],
];

const post = (body: string, headers: string) =>
  `POST http://ok.test/ HTTP/1.1\r\nHost: ok.test\r\n@OWN@\r\n${headers}\r\n\r\n${body}`;
const kept = (text: string) => text.replace("\r\nConnection: close", "");
const forbidden = get("http://other.test/", "other.test");
// As a body, whose length is counted here.
const hidden = get("http://other.test/", "other.test", "X-Login: none");
/** Each holds a request for another host that must be judged by itself, or never be one; the statuses of all answers. */
export const smuggled: [what: string, text: string, statuses: string][] = [
  ["twin: two in a row", kept(get("http://ok.test/")) + get("http://ok.test/"), "200 200"],
  ["two in a row", kept(get("http://ok.test/")) + forbidden, "200 403"],
  ["behind what is refused", kept(forbidden) + get("http://ok.test/"), "403 200"],
  [
    "without a login of its own",
    kept(get("http://ok.test/")) + get("http://ok.test/", "ok.test", "X: y"),
    "200 407",
  ],
  ["as a body", post(hidden, `Content-Length: ${hidden.length}\r\nConnection: close`), "200"],
  [
    "as chunks",
    post(
      `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`,
      "Transfer-Encoding: chunked\r\nConnection: close",
    ),
    "200",
  ],
  ["behind chunks", post(`0\r\n\r\n${forbidden}`, "Transfer-Encoding: chunked"), "200 403"],
  ["behind a length", post(`x${forbidden}`, "Content-Length: 1"), "200 403"],
  [
    "a length and chunks",
    post(`0\r\n\r\n${forbidden}`, "Content-Length: 5\r\nTransfer-Encoding: chunked"),
    "400",
  ],
  ["two lengths", post(forbidden, "Content-Length: 0\r\nContent-Length: 5"), "400"],
  ["a length with a sign", post(forbidden, "Content-Length: +0"), "400"],
  ["chunks in another word", post(`0\r\n\r\n${forbidden}`, "Transfer-Encoding: xchunked"), "501"],
  ["chunks twice", post(`0\r\n\r\n${forbidden}`, "Transfer-Encoding: chunked, chunked"), "501"],
  ["a chunk's size in hexadecimal", post(`0x0\r\n\r\n${forbidden}`, "Transfer-Encoding: chunked"), "400"],
  ["behind CONNECT that is refused", connect("other.test:443") + get("http://ok.test/"), "403"],
  [
    "HTTP/2 by an upgrade",
    get(
      "http://other.test/",
      "other.test",
      "@OWN@\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA",
    ),
    "403",
  ],
  [
    "HTTP/2 by an upgrade, of what is allowed",
    get("http://ok.test/", "ok.test", "@OWN@\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA") +
      forbidden,
    "200",
  ],
  ["a WebSocket", get("http://other.test/", "other.test", "@OWN@\r\nUpgrade: websocket"), "403"],
];
