/** A nats-server with any configuration, which can be changed while it runs. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nkeys } from "@nats-io/transport-node";
import { findNatsServer } from "../../cli/up/nats-server.ts";
import { startService } from "../../cli/up/start-service.ts";

export interface ConfiguredNats {
  readonly port: number;
  /** Resolves when the server has taken the configuration over; connections of users that it lacks are closed. */
  reload(config: string): Promise<void>;
  stop(): Promise<void>;
}

/** `config` says nothing of where it listens. */
export async function startConfiguredNats(config: string): Promise<ConfiguredNats> {
  const folder = mkdtempSync(join(tmpdir(), "packshot-configured-"));
  const path = join(folder, "nats.conf");
  const write = (listen: string, text: string) => writeFileSync(path, `listen: "${listen}"\n${text}\n`);
  write("127.0.0.1:-1", config);
  let onReloaded = () => {};
  const { pid, ready, stop } = await startService({
    name: "nats-server",
    program: findNatsServer(process.env),
    args: ["-c", path],
    environment: process.env,
    onLine: (line) => line.includes("Reloaded server configuration") && onReloaded(),
    waitForReady: ({ untilLine }) =>
      untilLine((line) => /Listening for client connections on 127\.0\.0\.1:(\d+)/.exec(line)?.[1]),
  });
  return {
    port: Number(ready),
    async reload(text) {
      const { promise, resolve } = Promise.withResolvers<void>();
      onReloaded = resolve;
      write(`127.0.0.1:${ready}`, text);
      process.kill(pid, "SIGHUP");
      await promise;
    },
    async stop() {
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}

const operator = nkeys.createOperator();
const account = nkeys.createAccount();

function signed(issuer: typeof operator, subject: string, claims: object, expiresAtMs?: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const times = { iat: Math.floor(Date.now() / 1000), ...(expiresAtMs && { exp: Math.ceil(expiresAtMs / 1000) }) };
  const body = { jti: crypto.randomUUID(), ...times, iss: issuer.getPublicKey(), name: "test", sub: subject };
  const text = `${part({ typ: "JWT", alg: "ed25519-nkey" })}.${part({ ...body, nats: { version: 2, ...claims } })}`;
  return `${text}.${Buffer.from(issuer.sign(Buffer.from(text))).toString("base64url")}`;
}

const unlimited = { subs: -1, data: -1, payload: -1 };

/** Configuration of a server whose users have JWTs of an account (nsc makes them so). */
export function operatorConfig(): string {
  const limits = { ...unlimited, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
  const accountJwt = signed(operator, account.getPublicKey(), { type: "account", limits });
  return [
    `operator: ${signed(operator, operator.getPublicKey(), { type: "operator" })}`,
    "resolver: MEMORY",
    `resolver_preload: { ${account.getPublicKey()}: ${accountJwt} }`,
  ].join("\n");
}

/** Text of a `.creds` file. */
export function userCredentials(expiresAtMs?: number): string {
  const user = nkeys.createUser();
  const jwt = signed(account, user.getPublicKey(), { type: "user", ...unlimited }, expiresAtMs);
  const seed = Buffer.from(user.getSeed()).toString();
  const block = (name: string, text: string) => `-----BEGIN ${name}-----\n${text}\n------END ${name}------\n`;
  return `${block("NATS USER JWT", jwt)}\n${block("USER NKEY SEED", seed)}`;
}
