/** The webhook service as a process. */
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serviceArguments } from "../../cli/up/services.ts";
import { readyLine, startService } from "../../cli/up/start-service.ts";
import { processEnvironment } from "../process-environment.ts";

/** Seals the secrets of webhooks. */
export const masterKey = randomBytes(32);
const linkKey = randomBytes(32);

export interface WebhookService {
  readonly pid: number;
  /** `host:port` of its metrics. */
  readonly metrics: string;
  readonly logLines: readonly string[];
  /** As by `kill -9`. */
  kill(): Promise<void>;
  stop(): Promise<void>;
  /** Resolves with how the process ended, whoever ended it. */
  readonly ended: Promise<string>;
}

export async function startWebhookService(
  natsUrl: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<WebhookService> {
  const logLines: string[] = [];
  const { ready, ...service } = await startService({
    name: "webhooks",
    args: serviceArguments("webhooks"),
    environment: {
      ...processEnvironment,
      PACKSHOT_NATS_URL: natsUrl,
      PACKSHOT_MASTER_KEY: masterKey.toString("hex"),
      PACKSHOT_LINK_KEY: linkKey.toString("hex"),
      PACKSHOT_PUBLIC_URL: "http://127.0.0.1:8080",
      PACKSHOT_STORAGE_DIR: join(tmpdir(), "packshot-webhooks-unused"),
      PACKSHOT_ALLOW_WEBHOOKS: "127.0.0.1:*",
      ...environment,
    },
    waitForReady: readyLine,
    onLine: (line) => logLines.push(line),
  });
  return { ...service, metrics: ready.metrics as string, logLines };
}
