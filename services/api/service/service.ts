import { PackshotError } from "@packshot/domain/errors.ts";
import type { Readiness } from "@packshot/platform/lifecycle/readiness.ts";
import type { Storage } from "@packshot/platform/storage/storage.ts";
import type { Handlers } from "../http/call.ts";
import type { Contract } from "../http/contract.ts";
import type { Reference } from "./reference.ts";

export interface ServiceDeps {
  readonly contract: Contract;
  readonly readiness: Pick<Readiness, "reasons">;
  readonly storage: Storage;
  readonly reference: Pick<Reference, "page">;
}

export function serviceHandlers({ contract, readiness, storage, reference }: ServiceDeps): Handlers {
  const document = async () => ({ status: 200, body: contract.document });
  return {
    getOpenapi: document,
    getOpenapiAtRoot: document,
    getDocs: () => reference.page(),
    async getHealth() {
      const reasons = Object.values(readiness.reasons());
      if (reasons.length > 0) throw new PackshotError("unavailable", `Not ready: ${reasons.join("; ")}.`);
      // The process stays in service: clients fetch and delete results, which makes room.
      const takesFiles = await storage.assertRoom(0).then(
        () => true,
        () => false,
      );
      return { status: 200, body: { status: "ok", storage: takesFiles ? "ok" : "full" } };
    },
  };
}
