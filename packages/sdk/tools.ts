import { paginate } from "./transport.ts";
import type { NamedTheme, Tool, ToolId } from "./schemas.ts";
import type { Transport, Waiting } from "./transport.ts";

export function createTools(transport: Transport) {
  return {
    list: (waiting: Waiting = {}): AsyncIterable<Tool> =>
      paginate(() => transport.json<{ data: readonly Tool[] }>({ method: "GET", path: "/v1/tools", ...waiting })),
    get: (id: ToolId, waiting: Waiting = {}): Promise<Tool> =>
      transport.json({ method: "GET", path: `/v1/tools/${encodeURIComponent(id)}`, ...waiting }),
    /** Named themes for ai-bg, each with a picture. */
    themes: (waiting: Waiting = {}): AsyncIterable<NamedTheme> =>
      paginate(() =>
        transport.json<{ data: readonly NamedTheme[] }>({ method: "GET", path: "/v1/themes", ...waiting }),
      ),
  };
}

export type Tools = ReturnType<typeof createTools>;
