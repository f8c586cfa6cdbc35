/** What the SDKs of other languages are called. */
import { writtenRepository } from "../lib/repository.ts";

/** Path of the Go module, as a folder of the repository. */
export const goModule = `github.com/${writtenRepository()}/sdk/go/drawbridge`;

/** The wheel. Python writes 1.0.0-rc.1 otherwise (PEP 440). */
export function wheelFile(version: string): string {
  const python = version.replace(
    /-(alpha|beta|rc)\.?(\d+)$/,
    (_, stage: string, number: string) => `${{ alpha: "a", beta: "b", rc: "rc" }[stage]}${number}`,
  );
  return `pulumi_drawbridge-${python}-py3-none-any.whl`;
}

/** The Go module's archive, as module proxies keep it. */
export const goArchive = (version: string) => `drawbridge-go-${version}.zip`;
