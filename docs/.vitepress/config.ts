/** The documentation as a site: `npm run docs` builds it into docs/.vitepress/dist. */
import { defineConfig } from "vitepress";
import { slug } from "../../scripts/lib/links.ts";
import { projectVersion } from "../../scripts/lib/versions.ts";
import { keepShortCode } from "./keep-short-code.ts";
import { leaveSite } from "./leave-site.ts";
import { programTabs } from "./program-tabs.ts";

const page = (text: string, link: string) => ({ text, link: `/${link}` });

export default defineConfig({
  title: "drawbridge",
  description: "SSH-reachable development containers on Kubernetes, declared with Pulumi",
  lang: "en",
  head: [["link", { rel: "icon", href: "/favicon.svg" }]],
  cleanUrls: false,
  lastUpdated: false,
  // The pages of Pulumi's registry.
  srcExclude: ["_index.md", "installation-configuration.md"],
  markdown: {
    config: (md) => {
      programTabs(md);
      leaveSite(md);
      keepShortCode(md);
    },
    anchor: { slugify: slug },
  },
  // A picture inside the page has no name by which the style sheet could know it.
  vite: { build: { assetsInlineLimit: 0 } },
  // A link to a page that is not there ends the build.
  ignoreDeadLinks: false,
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      page("Start", "start"),
      page("Developers", "developers"),
      page("Platform teams", "platform"),
      page("Reference", "reference"),
      page(`v${projectVersion()}`, "status"),
    ],
    sidebar: [
      {
        text: "Begin",
        items: [
          page("What it is", ""),
          page("Start", "start"),
          page("For developers", "developers"),
          page("For platform teams", "platform"),
          page("How it works", "how-it-works"),
        ],
      },
      {
        text: "Containers and teams",
        items: [
          page("SshGateway", "gateway"),
          page("DevContainer", "dev-container"),
          page("Team", "team"),
          page("People and keys", "people"),
          page("Stacks: a team in one file", "stacks"),
          page("Asleep and awake", "idle"),
          page("Root inside", "root"),
          page("Containers inside", "containers-inside"),
          page("Storage", "storage"),
          page("FrpServer", "frp"),
          page("Out by name", "egress"),
          page("SSH for what runs already", "existing-workloads"),
          page("In code that exists", "existing-code"),
          page("Other languages", "languages"),
        ],
      },
      {
        text: "Clients and CI",
        items: [
          page("The laptop", "client"),
          page("sshpod: any pod", "sshpod"),
          page("CI", "ci"),
          page("preview-guard", "preview-guard"),
          page("The guard's rules", "guard-rules"),
        ],
      },
      {
        text: "Running it",
        items: [
          page("Troubleshooting", "troubleshooting"),
          page("Runbooks", "runbooks"),
          page("Rotate a secret", "rotate"),
          page("Move a team", "move"),
          page("Copies of homes", "home-copies"),
          page("Who did what", "audit"),
          page("Limits for one client", "floods"),
        ],
      },
      {
        text: "Look up",
        items: [
          page("Reference", "reference"),
          page("What an edit does", "fields"),
          page("What works, and what does not", "status"),
          page("Who is kept apart from whom", "security"),
          page("How isolation works", "isolation"),
          page("What breaks", "reliability"),
          page("Bench", "bench"),
          page("Architecture and decisions", "architecture"),
        ],
      },
    ],
  },
});
