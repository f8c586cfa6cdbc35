/**
 * The first program in other languages, on README and the page of Pulumi's registry: copies of `examples/minimal`, which the
 * tests run.
 */
import { readFileSync } from "node:fs";
import { blocksOf } from "./page-blocks.ts";

const files = {
  python: "examples/minimal/python/__main__.py",
  go: "examples/minimal/go/main.go",
  yaml: "examples/minimal/yaml/Pulumi.yaml",
} as const;

/** README's own program, which is compiled and run from there. */
const typescript = () =>
  blocksOf("README.md", readFileSync("README.md", "utf8")).find(({ language }) => language === "ts");

const programs = (): readonly (readonly [language: string, fence: string, text: string])[] => [
  ["typescript", "ts", typescript()?.text ?? ""],
  ...Object.entries(files).map(
    ([language, file]) => [language, language, readFileSync(file, "utf8")] as const,
  ),
];

/** README has TypeScript in full, the others folded. */
const folded = () =>
  programs()
    .slice(1)
    .map(
      ([language, fence, text]) =>
        `<details><summary>The same in ${titles[language]}</summary>\n\n\`\`\`${fence}\n${text}\`\`\`\n\n</details>`,
    )
    .join("\n");

const titles: Readonly<Record<string, string>> = { python: "Python", go: "Go", yaml: "Pulumi YAML" };

/** In the words of the registry's site. */
const chosen = () =>
  [
    '{{< chooser language "typescript,python,go,yaml" >}}',
    ...programs().map(
      ([language, fence, text]) =>
        `{{% choosable language ${language} %}}\n\n\`\`\`${fence}\n${text}\`\`\`\n\n{{% /choosable %}}`,
    ),
    "{{< /chooser >}}",
  ].join("\n");

const blocks: Readonly<Record<string, () => string>> = { "README.md": folded, "docs/_index.md": chosen };

const marks = /(<!-- programs begins -->)[\s\S]*?(<!-- programs ends -->)/;

/** The page with these programs where it has the marks for them. */
export function withPrograms(page: string, text: string): string {
  const block = blocks[page];
  return block === undefined ? text : text.replace(marks, (_, begin, end) => `${begin}\n${block()}\n${end}`);
}
