import { fileURLToPath } from "node:url";
import type { ServiceName } from "../../cli/up/services.ts";

const fakeService = fileURLToPath(new URL("fake-service.ts", import.meta.url));

/** Main modules of fake services for `startStack`; a fate of "fail" ends one at its start. */
export function fakeMains(fates: Partial<Record<ServiceName, string>> = {}): Record<ServiceName, readonly string[]> {
  const main = (name: ServiceName) => [fakeService, name, ...(fates[name] ? [fates[name]] : [])];
  return { api: main("api"), modelServer: main("modelServer"), worker: main("worker"), webhooks: main("webhooks") };
}
