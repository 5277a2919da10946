import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeDurably } from "@packshot/platform/storage/durable-file.ts";
import { CommandError } from "../command-line/command.ts";

/** A data folder keeps these from one start to the next: without the keys its links and webhook secrets are lost. */
export interface Secrets {
  readonly adminToken: string;
  /** 32 bytes in hex. */
  readonly linkKey: string;
  readonly masterKey: string;
  /** Account and API key that `up` made at its first start. */
  readonly demo?: { readonly accountId: string; readonly apiKey: string };
}

/** Only the owner may read the file. */
export function writePrivately(path: string, content: unknown): void {
  writeDurably(path, `${JSON.stringify(content, null, 2)}\n`, 0o600);
}

export function saveSecrets(dataDir: string, secrets: Secrets): void {
  writePrivately(join(dataDir, "secrets.json"), secrets);
}

/** Makes them where the folder has none: at its first start, or with `newKeys`. */
export function loadSecrets(dataDir: string, { newKeys = false }: { readonly newKeys?: boolean } = {}): Secrets {
  const path = join(dataDir, "secrets.json");
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      throw new CommandError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
    if (!newKeys && existsSync(join(dataDir, "nats", "store", "jetstream")))
      throw new CommandError(
        `${path} is missing, and its keys seal what the log has: put a copy back. If there is none, --new-keys makes others, ` +
          'and "Lost keys" in docs/operations.md says what has to be set anew.',
      );
    const secrets: Secrets = {
      adminToken: `psop_${randomBytes(24).toString("base64url")}`,
      linkKey: randomBytes(32).toString("hex"),
      masterKey: randomBytes(32).toString("hex"),
    };
    saveSecrets(dataDir, secrets);
    return secrets;
  }
  try {
    const secrets = JSON.parse(text) as Secrets;
    if (!secrets.adminToken || !secrets.linkKey || !secrets.masterKey) throw new Error("a key is missing");
    return secrets;
  } catch {
    // New keys would silently break every link and webhook secret of this folder.
    throw new CommandError(`${path} is damaged: restore it from a copy, or start with an empty data folder.`);
  }
}
