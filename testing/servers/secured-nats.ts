/**
 * Real nats-servers as in production: TLS, also among themselves, and a user for each service that may do what it needs.
 * A test that looks after the log is the operator, who may do everything.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NatsSettings } from "@packshot/log/nats/connection.ts";
import type { NatsAccess } from "@packshot/log/nats/nats-access.ts";
import { inboxPrefixOf, type NatsService, natsServices } from "@packshot/log/operate/permissions.ts";
import { createNkeyPair } from "@packshot/log/operate/server-config.ts";
import { type Certificate, createCertificate, createCertificateAuthority } from "./certificates.ts";
import { startNats, type TestNats } from "./nats.ts";

export interface SecuredNats {
  readonly nats: TestNats;
  /** `tls://localhost:…`, comma-separated. */
  readonly url: string;
  readonly caFile: string;
  /** For a connection as this service makes it. */
  settings(service: NatsService): NatsSettings & { readonly access: NatsAccess };
  /** The same of a connection that may do everything. */
  readonly operatorSettings: NatsSettings;
  /** The same as a process's environment. */
  environment(service: NatsService): Readonly<Record<string, string>>;
  /** Gives the servers another certificate of the same authority, which they read at once; returns it. */
  renewCertificate(): Certificate;
  stop(): Promise<void>;
}

export async function startSecuredNats({ cluster = 3 }: { cluster?: 1 | 3 } = {}): Promise<SecuredNats> {
  const folder = mkdtempSync(join(tmpdir(), "packshot-secured-"));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const issuer = createCertificateAuthority("packshot test CA");
  const names = ["localhost", "127.0.0.1"];
  const { cert, key } = createCertificate({ names, issuer });
  const caFile = file("ca.crt", issuer.cert);
  const tls = { certFile: file("server.crt", cert), keyFile: file("server.key", key), caFile };
  const users = [...natsServices, "operator" as const].map((service) => {
    const { seed, publicKey } = createNkeyPair();
    file(`${service}.nk`, seed);
    return { service, nkey: publicKey };
  });
  const nats = await startNats({ cluster, tls, users }).catch((error: unknown) => {
    rmSync(folder, { recursive: true });
    throw error;
  });
  const url = nats.url.replaceAll("nats://127.0.0.1", "tls://localhost");
  const seedFile = (service: NatsService | "operator") => join(folder, `${service}.nk`);
  return {
    nats,
    url,
    caFile,
    settings: (service) => ({
      url,
      name: `test-${service}`,
      access: { nkeySeedFile: seedFile(service), tlsCaFile: caFile },
      inboxPrefix: inboxPrefixOf(service),
    }),
    operatorSettings: {
      url,
      name: "test-operator",
      access: { nkeySeedFile: seedFile("operator"), tlsCaFile: caFile },
    },
    environment: (service) => ({
      PACKSHOT_NATS_URL: url,
      PACKSHOT_NATS_NKEY_SEED_FILE: seedFile(service),
      PACKSHOT_NATS_TLS_CA_FILE: caFile,
    }),
    renewCertificate() {
      const renewed = createCertificate({ names, issuer });
      file("server.crt", renewed.cert);
      file("server.key", renewed.key);
      nats.reload();
      return renewed;
    },
    async stop() {
      await nats.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
