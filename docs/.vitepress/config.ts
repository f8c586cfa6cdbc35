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
  // The last two are the pages of Pulumi's registry.
  srcExclude: ["interface.md", "_index.md", "installation-configuration.md"],
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
        text: "Components",
        items: [
          page("SshGateway", "gateway"),
          page("Team", "team"),
          page("DevContainer", "dev-container"),
          page("Copies of homes", "home-copies"),
          page("Asleep and awake", "idle"),
          page("Root inside", "root"),
          page("Containers inside", "containers-inside"),
          page("Storage", "storage"),
          page("FrpServer", "frp"),
          page("SSH for what runs already", "existing-workloads"),
          page("In code that exists", "existing-code"),
          page("Stacks: a team in one file", "stacks"),
          page("Upgrade Istio and Kubernetes", "upgrades"),
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
        ],
      },
      {
        text: "Look up",
        items: [
          page("Reference", "reference"),
          page("Troubleshooting", "troubleshooting"),
          page("Runbooks", "runbooks"),
          page("FAQ", "faq"),
          page("Limits", "limits"),
        ],
      },
      {
        text: "Background",
        items: [
          page("Who is kept apart from whom", "security"),
          page("Architecture and decisions", "architecture"),
          page("What works by which way", "conformance"),
          page("What breaks", "reliability"),
          page("What is tested", "status"),
          page("Bench", "bench"),
          page("Planning for many teams", "plan"),
          page("The lab", "lab"),
        ],
      },
    ],
  },
});
