/**
 * Certificates of the gRPC connection, read from files again and again, so that rotated ones count without a restart.
 * The provider of grpc-js ends the process when certificate and key do not match, as while they are being rotated; this
 * one keeps those it had.
 */
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import type { experimental } from "@grpc/grpc-js";

export interface CertificateFiles {
  /** PEM of the authorities that the other side's certificate must come from. */
  readonly caFile?: string | undefined;
  /** PEM of the own certificate, with its chain; with a key. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

type CertificateProvider = Pick<
  experimental.CertificateProvider,
  | "addCaCertificateListener"
  | "removeCaCertificateListener"
  | "addIdentityCertificateListener"
  | "removeIdentityCertificateListener"
>;

interface Pems {
  readonly ca: Buffer | undefined;
  readonly cert: Buffer | undefined;
  readonly key: Buffer | undefined;
}

const readEveryMs = 10_000;

/** Throws when the files cannot be read now or do not belong together. */
export function watchCertificateFiles(
  files: CertificateFiles,
  onProblem: (problem: string) => void,
  everyMs = readEveryMs,
): CertificateProvider {
  let pems = readPems(files);
  let lastProblem: string | undefined;
  const onCa = new Set<experimental.CaCertificateUpdateListener>();
  const onIdentity = new Set<experimental.IdentityCertificateUpdateListener>();
  let timer: NodeJS.Timeout | undefined;

  function update(): void {
    try {
      const now = readPems(files);
      lastProblem = undefined;
      if (isSame(now, pems)) return;
      pems = now;
    } catch (error) {
      const { message } = error as Error;
      if (message !== lastProblem) onProblem(message);
      lastProblem = message;
      return;
    }
    for (const listener of onIdentity) listener(identityOf(pems));
    for (const listener of onCa) listener(caOf(pems));
  }

  function watchWhileHeard(): void {
    const isHeard = onCa.size + onIdentity.size > 0;
    if (isHeard) timer ??= setInterval(update, everyMs).unref();
    else clearInterval(timer);
    if (!isHeard) timer = undefined;
  }

  return {
    addCaCertificateListener(listener) {
      onCa.add(listener);
      watchWhileHeard();
      process.nextTick(() => listener(caOf(pems)));
    },
    removeCaCertificateListener(listener) {
      onCa.delete(listener);
      watchWhileHeard();
    },
    addIdentityCertificateListener(listener) {
      onIdentity.add(listener);
      watchWhileHeard();
      process.nextTick(() => listener(identityOf(pems)));
    },
    removeIdentityCertificateListener(listener) {
      onIdentity.delete(listener);
      watchWhileHeard();
    },
  };
}

function caOf({ ca }: Pems): experimental.CaCertificateUpdate | null {
  return ca === undefined ? null : { caCertificate: ca };
}

function identityOf({ cert, key }: Pems): experimental.IdentityCertificateUpdate | null {
  return cert === undefined || key === undefined ? null : { certificate: cert, privateKey: key };
}

function readPems({ caFile, certFile, keyFile }: CertificateFiles): Pems {
  const pems = {
    ca: readPem("PACKSHOT_MODEL_SERVER_TLS_CA_FILE", caFile),
    cert: readPem("PACKSHOT_MODEL_SERVER_TLS_CERT_FILE", certFile),
    key: readPem("PACKSHOT_MODEL_SERVER_TLS_KEY_FILE", keyFile),
  };
  try {
    createSecureContext(pems);
  } catch (error) {
    const named = [caFile, certFile, keyFile].filter((path) => path !== undefined).join(", ");
    throw new Error(
      `the files ${named} are no PEM certificates and key that belong together: ${(error as Error).message}`,
    );
  }
  return pems;
}

function readPem(setting: string, path: string | undefined): Buffer | undefined {
  if (path === undefined) return undefined;
  try {
    return readFileSync(path);
  } catch (error) {
    throw new Error(`${setting} names ${path}, which cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

function isSame(a: Pems, b: Pems): boolean {
  const text = ({ ca, cert, key }: Pems) => [ca, cert, key].map((pem) => pem?.toString("base64") ?? "").join();
  return text(a) === text(b);
}
