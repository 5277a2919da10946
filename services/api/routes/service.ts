import { PackshotError } from "@packshot/domain/errors.ts";
import type { Handlers } from "../http/call.ts";
import type { Contract } from "../http/contract.ts";
import { docsPage } from "../http/docs-page.ts";

export function serviceHandlers({ contract, isReady }: { contract: Contract; isReady: () => boolean }): Handlers {
  const page = docsPage(contract.document);
  const document = async () => ({ status: 200, body: contract.document });
  return {
    getOpenapi: document,
    getOpenapiAtRoot: document,
    getDocs: async () => ({ status: 200, body: page, headers: { "Content-Type": "text/html; charset=utf-8" } }),
    async getHealth() {
      if (isReady()) return { status: 200, body: { status: "ok" } };
      throw new PackshotError("unavailable", "The log is out of reach.");
    },
  };
}
