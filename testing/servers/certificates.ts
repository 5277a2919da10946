/** X.509 certificates for tests, made without a program that may be missing. */
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { isIPv4 } from "node:net";

export interface Certificate {
  /** PEM */
  readonly cert: string;
  /** PEM */
  readonly key: string;
}

export interface Issuer extends Certificate {
  readonly name: string;
}

export interface CertificateOrder {
  /** DNS names and IPv4 addresses it is for. */
  readonly names: readonly string[];
  readonly validUntil?: Date;
  /** Signs itself when absent. */
  readonly issuer?: Issuer;
}

const dayMs = 24 * 3600 * 1000;
const oids = {
  ecdsaWithSha256: "06082a8648ce3d040302",
  commonName: "0603550403",
  basicConstraints: "0603551d13",
  subjectAltName: "0603551d11",
} as const;

/** One DER element (X.690): tag, length, content. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const lengthBytes =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, Math.floor(length / 0x100), length % 0x100];
  return Buffer.concat([Buffer.from([tag, ...lengthBytes]), content]);
}

const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
const oid = (hex: string) => Buffer.from(hex, "hex");
const integer = (...bytes: readonly number[]) => der(0x02, Buffer.from(bytes));
const bitString = (content: Buffer) => der(0x03, Buffer.from([0]), content);
const octetString = (content: Buffer) => der(0x04, content);
const isTrue = der(0x01, Buffer.from([0xff]));
const generalizedTime = (date: Date) =>
  der(
    0x18,
    Buffer.from(
      `${date
        .toISOString()
        .replace(/\.\d+Z$/, "Z")
        .replace(/[-:T]/g, "")}`,
    ),
  );
const nameOf = (text: string) => sequence(der(0x31, sequence(oid(oids.commonName), der(0x0c, Buffer.from(text)))));

/** RFC 5280 §4.1: what is signed, and the signature over it. */
function certify(subject: {
  readonly name: string;
  readonly publicKey: KeyObject;
  readonly issuer: string;
  readonly signingKey: KeyObject | string;
  readonly validUntil: Date;
  readonly extension: Buffer;
}): string {
  const algorithm = sequence(oid(oids.ecdsaWithSha256));
  const toBeSigned = sequence(
    der(0xa0, integer(2)),
    integer(1 + Math.floor(Math.random() * 0x7e), ...crypto.getRandomValues(new Uint8Array(7))),
    algorithm,
    nameOf(subject.issuer),
    sequence(generalizedTime(new Date(Date.now() - 400 * dayMs)), generalizedTime(subject.validUntil)),
    nameOf(subject.name),
    subject.publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(subject.extension)),
  );
  const signature = sign("sha256", toBeSigned, subject.signingKey);
  const base64 = sequence(toBeSigned, algorithm, bitString(signature)).toString("base64");
  return `-----BEGIN CERTIFICATE-----\n${base64.match(/.{1,64}/g)!.join("\n")}\n-----END CERTIFICATE-----\n`;
}

const newKeys = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
const pemOf = (key: KeyObject) => key.export({ type: "pkcs8", format: "pem" }).toString();
const inTenDays = () => new Date(Date.now() + 10 * dayMs);

/** Signs others, and itself: what a trust store holds. */
export function createCertificateAuthority(name: string): Issuer {
  const { publicKey, privateKey } = newKeys();
  const extension = sequence(oid(oids.basicConstraints), isTrue, octetString(sequence(isTrue)));
  const cert = certify({ name, publicKey, issuer: name, signingKey: privateKey, validUntil: inTenDays(), extension });
  return { name, cert, key: pemOf(privateKey) };
}

export function createCertificate({ names, validUntil = inTenDays(), issuer }: CertificateOrder): Certificate {
  const { publicKey, privateKey } = newKeys();
  const [name] = names as [string];
  const altNames = sequence(
    ...names.map((each) =>
      isIPv4(each) ? der(0x87, Buffer.from(each.split(".").map(Number))) : der(0x82, Buffer.from(each)),
    ),
  );
  const cert = certify({
    name,
    publicKey,
    issuer: issuer?.name ?? name,
    signingKey: issuer?.key ?? privateKey,
    validUntil,
    extension: sequence(oid(oids.subjectAltName), octetString(altNames)),
  });
  return { cert, key: pemOf(privateKey) };
}
