/** frps's certificate and its CA, both derived from a seed. */
import { createHash, createPublicKey, type KeyObject, sign } from "node:crypto";
import { ed25519Key } from "../kit/crypto.ts";
import type { Settled } from "../kit/input.ts";
import type { Resolve } from "../kit/resolve.ts";
import { certificateNames, type FrpServerPlan } from "./plan.ts";
import { deriveCertificateKey, deriveMetricsPassword } from "./secrets.ts";

/** frps's certificate and the CA that frpc checks it against. */
export interface ServerCertificate {
  /** PEM; public. */
  readonly caBundle: string;
  /** PEM; public. */
  readonly certificate: string;
  /** PEM (PKCS8); secret. */
  readonly privateKey: string;
}

// Fixed, because a date taken at preview would change the certificate at every preview. The CA signs for this
// one server only; short-lived certificates come from `tls` with a Secret that cert-manager renews.
const notBefore = new Date("2026-01-01T00:00:00Z");
const notAfter = new Date("2056-01-01T00:00:00Z");

/**
 * @param seed secret of the stack
 * @param server `<namespace>/<name>` of the FrpServer
 * @param names DNS names under which frpc reaches frps
 */
export function deriveServerCertificate(
  seed: string,
  server: string,
  names: readonly string[],
): ServerCertificate {
  const ca = ed25519Key(deriveCertificateKey(seed, server, "ca"));
  const key = ed25519Key(deriveCertificateKey(seed, server, "server"));
  const issuer = "drawbridge frp CA";
  const validity = { notBefore, notAfter };
  return {
    caBundle: certificatePem({ subject: issuer, issuer, names: [], ca: true, ...validity }, ca, ca),
    certificate: certificatePem({ subject: "frps", issuer, names, ca: false, ...validity }, key, ca),
    privateKey: key.export({ format: "pem", type: "pkcs8" }) as string,
  };
}

/** A server's secrets, and the CA of its certificate or of the caller's own. */
export function serverSecrets({ seed, identity, tls, ...plan }: FrpServerPlan, { secret, derived }: Resolve) {
  const of = { seed, identity, names: certificateNames({ seed, identity, tls, ...plan }) };
  const make = (known: Settled<typeof of>) =>
    deriveServerCertificate(known.seed, known.identity, known.names);
  const caBundle = tls?.caBundle ?? derived(of, (known) => make(known).caBundle);
  return {
    metricsPassword: secret({ seed, identity }, (known) => deriveMetricsPassword(known.seed, known.identity)),
    caBundle,
    certificate:
      tls === undefined
        ? {
            caBundle,
            certificate: secret(of, (known) => make(known).certificate),
            privateKey: secret(of, (known) => make(known).privateKey),
          }
        : undefined,
  };
}

/**
 * One certificate's fields. They are encoded here: an ed25519 signature has no random part, so the same seed gives the same
 * bytes at every preview; certificate libraries draw random serials, sign asynchronously or patch global objects of the
 * caller's program.
 */
interface CertificateFields {
  readonly subject: string;
  readonly issuer: string;
  /** DNS names that it is valid for; none for a CA. */
  readonly names: readonly string[];
  readonly ca: boolean;
  readonly notBefore: Date;
  readonly notAfter: Date;
}

/**
 * A certificate in PEM.
 * @param key the private key it is for
 * @param signer the issuer's private key; the same one for a self-signed CA
 */
function certificatePem(fields: CertificateFields, key: KeyObject, signer: KeyObject): string {
  const body = toBeSigned(fields, spki(key), spki(signer));
  const der = sequence(body, ed25519, bitString(sign(null, body, signer)));
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

function toBeSigned(fields: CertificateFields, own: Buffer, issuer: Buffer): Buffer {
  return sequence(
    tagged(0xa0, integer(Buffer.from([2]))), // version 3
    integer(serial(fields, own)),
    ed25519,
    name(fields.issuer),
    sequence(time(fields.notBefore), time(fields.notAfter)),
    name(fields.subject),
    own,
    tagged(0xa3, sequence(...extensions(fields, own, issuer))),
  );
}

/** The serial number depends on everything that the certificate says, so two different ones never share it. */
function serial(fields: CertificateFields, own: Buffer): Buffer {
  const hash = createHash("sha256").update(JSON.stringify(fields)).update(own).digest().subarray(0, 16);
  hash[0] = ((hash[0] ?? 0) & 0x7f) | 0x40; // positive, without leading zeros
  return hash;
}

function extensions(fields: CertificateFields, own: Buffer, issuer: Buffer): Buffer[] {
  const usage = fields.ca ? [0x01, 0x06] : [0x07, 0x80]; // keyCertSign and cRLSign, or digitalSignature
  const constraints = fields.ca ? sequence(tagged(0x01, Buffer.from([0xff]))) : sequence();
  const names = fields.names.map((dnsName) => tagged(0x82, Buffer.from(dnsName, "ascii")));
  return [
    extension("551d13", constraints, true), // basicConstraints
    extension("551d0f", tagged(0x03, Buffer.from([usage[0] ?? 0, usage[1] ?? 0])), true), // keyUsage
    extension("551d0e", tagged(0x04, keyIdentifier(own))), // subjectKeyIdentifier
    extension("551d23", sequence(tagged(0x80, keyIdentifier(issuer)))), // authorityKeyIdentifier
    ...(fields.ca ? [] : [extension("551d25", sequence(oid("2b06010505070301")))]), // serverAuth
    ...(names.length === 0 ? [] : [extension("551d11", sequence(...names))]), // subjectAltName
  ];
}

const spki = (key: KeyObject): Buffer => createPublicKey(key).export({ format: "der", type: "spki" });
const keyIdentifier = (publicKey: Buffer): Buffer =>
  createHash("sha256").update(publicKey).digest().subarray(0, 20);

function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const size =
    length < 0x80
      ? [length]
      : length < 0x100
        ? [0x81, length]
        : [0x82, Math.floor(length / 0x100), length % 0x100];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts));
const integer = (bytes: Buffer): Buffer => tagged(0x02, bytes);
const oid = (hex: string): Buffer => tagged(0x06, Buffer.from(hex, "hex"));
const bitString = (bytes: Buffer): Buffer => tagged(0x03, Buffer.concat([Buffer.from([0]), bytes]));
const ed25519 = sequence(oid("2b6570"));

/** A name that is one common name. */
const name = (commonName: string): Buffer =>
  sequence(tagged(0x31, sequence(oid("550403"), tagged(0x0c, Buffer.from(commonName, "utf8")))));

/** X.509 asks for UTCTime before 2050 and GeneralizedTime from then on. */
function time(date: Date): Buffer {
  const digits = `${date.toISOString().replace(/[-:T]/g, "").slice(0, 14)}Z`;
  return date.getUTCFullYear() < 2050
    ? tagged(0x17, Buffer.from(digits.slice(2), "ascii"))
    : tagged(0x18, Buffer.from(digits, "ascii"));
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  const flag = critical ? [tagged(0x01, Buffer.from([0xff]))] : [];
  return sequence(oid(id), ...flag, tagged(0x04, value));
}
