/**
 * How a process shows nats-server who it is, and how it checks that server: by files that settings name. They are read at
 * each connection, so that a rotated secret counts from the next one on.
 */
import {
  type Authenticator,
  credsAuthenticator,
  nkeyAuthenticator,
  usernamePasswordAuthenticator,
} from "@nats-io/transport-node";
import { readSecretFile } from "@packshot/platform/config/secret-settings.ts";
import type { Settings } from "@packshot/platform/config/settings.ts";

export interface NatsAccess {
  /** At most one of `credentialsFile`, `nkeySeedFile` and `user` is set. */
  readonly credentialsFile?: string | undefined;
  readonly nkeySeedFile?: string | undefined;
  readonly user?: string | undefined;
  readonly passwordFile?: string | undefined;
  readonly tlsCaFile?: string | undefined;
  readonly tlsCertFile?: string | undefined;
  readonly tlsKeyFile?: string | undefined;
}

type Auth = ReturnType<Authenticator>;
type AccessSettings = Pick<Settings, Extract<keyof Settings, `PACKSHOT_NATS_${string}`>>;

/** Throws when settings contradict each other. */
export function readNatsAccess(settings: AccessSettings): NatsAccess {
  const access: NatsAccess = {
    credentialsFile: settings.PACKSHOT_NATS_CREDENTIALS_FILE,
    nkeySeedFile: settings.PACKSHOT_NATS_NKEY_SEED_FILE,
    user: settings.PACKSHOT_NATS_USER,
    passwordFile: settings.PACKSHOT_NATS_PASSWORD_FILE,
    tlsCaFile: settings.PACKSHOT_NATS_TLS_CA_FILE,
    tlsCertFile: settings.PACKSHOT_NATS_TLS_CERT_FILE,
    tlsKeyFile: settings.PACKSHOT_NATS_TLS_KEY_FILE,
  };
  assertTogether("PACKSHOT_NATS_USER", access.user, "PACKSHOT_NATS_PASSWORD_FILE", access.passwordFile);
  assertTogether("PACKSHOT_NATS_TLS_CERT_FILE", access.tlsCertFile, "PACKSHOT_NATS_TLS_KEY_FILE", access.tlsKeyFile);
  const kinds = [access.credentialsFile, access.nkeySeedFile, access.user].filter((given) => given !== undefined);
  if (kinds.length > 1)
    throw new Error(
      "set one of PACKSHOT_NATS_CREDENTIALS_FILE, PACKSHOT_NATS_NKEY_SEED_FILE and PACKSHOT_NATS_USER, not several",
    );
  return access;
}

function assertTogether(one: string, a: string | undefined, other: string, b: string | undefined): void {
  if ((a === undefined) !== (b === undefined)) throw new Error(`${one} and ${other} are set together`);
}

export function hasCredentials({ credentialsFile, nkeySeedFile, user }: NatsAccess): boolean {
  return (credentialsFile ?? nkeySeedFile ?? user) !== undefined;
}

export function hasTlsFiles({ tlsCaFile, tlsCertFile }: NatsAccess): boolean {
  return (tlsCaFile ?? tlsCertFile) !== undefined;
}

/** When the server refuses the credentials, `credentialsProblem` says why. */
export function createAuthenticator(access: NatsAccess): Authenticator {
  return (nonce) => {
    try {
      return authenticate(access, nonce);
    } catch {
      // The client would close the connection for good, and the file may be there the next time.
      return undefined;
    }
  };
}

/** Why the files cannot be used, without a word of what is in them. */
export function credentialsProblem(access: NatsAccess): string | undefined {
  try {
    authenticate(access, "");
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function authenticate(access: NatsAccess, nonce: string | undefined): Auth {
  const { credentialsFile, nkeySeedFile, user, passwordFile } = access;
  if (credentialsFile !== undefined) {
    const text = readSecretFile("PACKSHOT_NATS_CREDENTIALS_FILE", credentialsFile);
    const what = `PACKSHOT_NATS_CREDENTIALS_FILE names ${credentialsFile}, which holds no JWT and seed as "nsc generate creds" writes them`;
    return understood(what, () => credsAuthenticator(Buffer.from(`${text}\n`))(nonce));
  }
  if (nkeySeedFile !== undefined) {
    const seed = Buffer.from(readSecretFile("PACKSHOT_NATS_NKEY_SEED_FILE", nkeySeedFile));
    const what = `PACKSHOT_NATS_NKEY_SEED_FILE names ${nkeySeedFile}, which holds no seed of a user ("SU…")`;
    return understood(what, () => nkeyAuthenticator(seed)(nonce));
  }
  if (user === undefined || passwordFile === undefined) return undefined;
  return usernamePasswordAuthenticator(user, readSecretFile("PACKSHOT_NATS_PASSWORD_FILE", passwordFile))(nonce);
}

/** What a parser says of a secret may repeat a part of it. */
function understood<T>(problem: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new Error(problem);
  }
}
