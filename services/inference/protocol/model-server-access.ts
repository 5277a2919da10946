/** How workers and the model server know each other: bearer tokens and certificates, both by settings. */
import { readSecretFile } from "@packshot/platform/config/secret-settings.ts";
import type { Settings } from "@packshot/platform/config/settings.ts";
import type { CertificateFiles } from "./certificate-files.ts";

export interface ModelServerAccess {
  /** The server accepts each, and workers send the first. None: everybody may call. Read anew at each use. */
  readonly tokens: () => readonly string[];
  /** undefined: connections are not encrypted. A Unix socket never is. */
  readonly certificates: CertificateFiles | undefined;
}

export const openAccess: ModelServerAccess = { tokens: () => [], certificates: undefined };

const tokenCharactersMin = 32;
/** A file is read again after so long; a call with a token that is not in it is refused until then. */
const tokenFileAgeMs = 2_000;

/** Throws when a file that a setting names cannot be read, or certificate and key are not both there. */
export function readModelServerAccess(settings: Settings): ModelServerAccess {
  const {
    PACKSHOT_MODEL_SERVER_TOKEN: tokens,
    PACKSHOT_MODEL_SERVER_TOKEN_FILE: tokenFile,
    PACKSHOT_MODEL_SERVER_TLS_CA_FILE: caFile,
    PACKSHOT_MODEL_SERVER_TLS_CERT_FILE: certFile,
    PACKSHOT_MODEL_SERVER_TLS_KEY_FILE: keyFile,
  } = settings;
  if ((certFile === undefined) !== (keyFile === undefined))
    throw new Error("PACKSHOT_MODEL_SERVER_TLS_CERT_FILE and PACKSHOT_MODEL_SERVER_TLS_KEY_FILE are set together");
  const isEncrypted = caFile !== undefined || certFile !== undefined;
  return {
    tokens: tokenFile === undefined ? () => tokens : tokensInFile(tokenFile),
    certificates: isEncrypted ? { caFile, certFile, keyFile } : undefined,
  };
}

function tokensInFile(path: string): () => readonly string[] {
  let known = readTokens(path);
  let readAtMs = performance.now();
  return () => {
    if (performance.now() - readAtMs < tokenFileAgeMs) return known;
    readAtMs = performance.now();
    try {
      known = readTokens(path);
    } catch {
      // While it is being replaced, those from before count.
    }
    return known;
  };
}

function readTokens(path: string): readonly string[] {
  const tokens = readSecretFile("PACKSHOT_MODEL_SERVER_TOKEN_FILE", path).split(/\s+/);
  if (tokens.every(({ length }) => length >= tokenCharactersMin)) return tokens;
  throw new Error(
    `PACKSHOT_MODEL_SERVER_TOKEN_FILE names ${path}: each token has at least ${tokenCharactersMin} characters`,
  );
}
