import { paginate } from "./transport.ts";
import type { NewPreset, Preset } from "./schemas.ts";
import type { Transport, Waiting } from "./transport.ts";

export function createPresets(transport: Transport) {
  const all = "/v1/presets";
  const path = (name: string) => `${all}/${encodeURIComponent(name)}`;
  return {
    list: (waiting: Waiting = {}): AsyncIterable<Preset> =>
      paginate(() => transport.json<{ data: readonly Preset[] }>({ method: "GET", path: all, ...waiting })),
    get: (name: string, waiting: Waiting = {}): Promise<Preset> =>
      transport.json({ method: "GET", path: path(name), ...waiting }),
    /** Creates it, or replaces one of the same name. */
    put: (name: string, preset: NewPreset, waiting: Waiting = {}): Promise<Preset> =>
      transport.json({ method: "PUT", path: path(name), json: preset, ...waiting }),
    delete: (name: string, waiting: Waiting = {}): Promise<void> =>
      transport.send({ method: "DELETE", path: path(name), ...waiting }),
  };
}

export type Presets = ReturnType<typeof createPresets>;
