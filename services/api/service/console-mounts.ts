/** The console beside the API and the operator's API, as its settings want it. */
import type { Logger } from "@packshot/platform/telemetry/logger.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import { createConsoleMounts } from "./console-files.ts";
import type { Mount } from "../http/http-server.ts";

interface ConsoleMountDeps {
  /** undefined: it is switched off. */
  readonly consoleFolder: string | undefined;
  readonly storage: Pick<Storage, "signGet">;
  /** The disk storage's links, which lead to this server. */
  readonly links: object | undefined;
  readonly nowMs: () => number;
  readonly logger: Logger;
}

/** How long the link is valid from which the bucket's origin is read; nobody gets it. */
const sampleLinkMs = 60_000;

export function consoleMounts(deps: ConsoleMountDeps): Readonly<Record<string, Mount>> {
  const { consoleFolder, storage, links, nowMs, logger } = deps;
  if (consoleFolder === undefined) return {};
  async function linkOrigin(): Promise<string | undefined> {
    if (links !== undefined) return undefined;
    const sample = { expiresAtMs: nowMs() + sampleLinkMs, contentType: "image/png" };
    return new URL(await storage.signGet("console", sample)).origin;
  }
  const mounts = createConsoleMounts({ folder: consoleFolder, page: "index.html", linkOrigin });
  if (Object.keys(mounts).length === 0)
    logger.info({ consoleFolder }, "the console is not built: make setup builds it");
  return mounts;
}

/** The operator's page, which shows no files of customers. */
export function operatorPageMounts(consoleFolder: string | undefined): Readonly<Record<string, Mount>> {
  if (consoleFolder === undefined) return {};
  return createConsoleMounts({ folder: consoleFolder, page: "operator.html", linkOrigin: async () => undefined });
}
