/** Certificates made with openssl, as an organisation's own CA makes them. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { must } from "../../../scripts/lib/lab/lab.ts";

/** Files of a certificate and its key, and their text. */
export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: string;
  readonly key: string;
}

/** What a certificate says. */
interface CertificateRequest {
  /** In openssl's form. @example "/CN=alice" */
  readonly subject: string;
  /** Subject alternative names in openssl's form. @example "URI:spiffe://example.com/user/alice" */
  readonly names: string;
  /** Whether it has expired already. */
  readonly expired?: boolean;
}

/** A certificate authority in a temporary folder. */
export class TestCa {
  readonly folder: string;
  readonly #own: Certificate;

  private constructor(folder: string, own: Certificate) {
    this.folder = folder;
    this.#own = own;
  }

  /** @param parent the folder in which it keeps its files */
  static async create(name: string, parent = tmpdir()): Promise<TestCa> {
    const folder = await mkdtemp(join(parent, "drawbridge-ca-"));
    const files = { certFile: join(folder, "ca.crt"), keyFile: join(folder, "ca.key") };
    const says = ["-subj", `/CN=${name}`, "-days", "2", "-addext", "keyUsage=critical,keyCertSign"];
    const output = ["-keyout", files.keyFile, "-out", files.certFile];
    await must("openssl", ["req", "-x509", ...newKey, ...says, ...output]);
    return new TestCa(folder, await read(files));
  }

  get certFile(): string {
    return this.#own.certFile;
  }

  get cert(): string {
    return this.#own.cert;
  }

  /** @param name of its files */
  async issue(name: string, request: CertificateRequest): Promise<Certificate> {
    const at = (ending: string) => join(this.folder, `${name}.${ending}`);
    const files = { certFile: at("crt"), keyFile: at("key") };
    await writeFile(at("ext"), `[ext]\nsubjectAltName=@names\n[names]\n${request.names}\n`);
    const asked = ["-subj", request.subject, "-keyout", files.keyFile, "-out", at("csr")];
    await must("openssl", ["req", ...newKey, ...asked]);
    const signer = ["-CA", this.#own.certFile, "-CAkey", this.#own.keyFile, "-CAcreateserial"];
    // openssl takes only whole days; with none, the certificate ends when it begins.
    const days = ["-days", request.expired === true ? "0" : "1"];
    const extensions = ["-extfile", at("ext"), "-extensions", "ext"];
    const output = ["-out", files.certFile];
    await must("openssl", ["x509", "-req", "-in", at("csr"), ...signer, ...days, ...extensions, ...output]);
    return read(files);
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}

/** A certificate as a Secret that servers in a cluster read. */
export function tlsSecret(namespace: string, name: string, { cert, key }: Pick<Certificate, "cert" | "key">) {
  const stringData = { "tls.crt": cert, "tls.key": key };
  const metadata = { name, namespace };
  return { apiVersion: "v1", kind: "Secret", metadata, type: "kubernetes.io/tls", stringData } as const;
}

const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

async function read(files: { certFile: string; keyFile: string }): Promise<Certificate> {
  const [cert, key] = await Promise.all([readFile(files.certFile, "utf8"), readFile(files.keyFile, "utf8")]);
  return { ...files, cert, key };
}
