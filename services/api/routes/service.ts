import { PackshotError } from "@packshot/domain/errors.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Handlers } from "../http/call.ts";
import type { Contract } from "../http/contract.ts";
import { docsPage } from "../http/docs-page.ts";

export interface ServiceDeps {
  readonly contract: Contract;
  readonly isReady: () => boolean;
  readonly storage: Storage;
}

export function serviceHandlers({ contract, isReady, storage }: ServiceDeps): Handlers {
  const page = docsPage(contract.document);
  const document = async () => ({ status: 200, body: contract.document });
  return {
    getOpenapi: document,
    getOpenapiAtRoot: document,
    getDocs: async () => ({ status: 200, body: page, headers: { "Content-Type": "text/html; charset=utf-8" } }),
    async getHealth() {
      if (!isReady()) throw new PackshotError("unavailable", "The log is out of reach.");
      // The process stays in service: clients fetch and delete results, which makes room.
      const takesFiles = await storage.assertRoom(0).then(
        () => true,
        () => false,
      );
      return { status: 200, body: { status: "ok", storage: takesFiles ? "ok" : "full" } };
    },
  };
}
