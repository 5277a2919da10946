import type { Account } from "@packshot/domain/accounts/account.ts";
import { PackshotError } from "@packshot/domain/errors.ts";
import { inputTypes, isToolId, type Tool, toolIds, tools } from "@packshot/domain/edits/tools.ts";
import { isHeicInstalled } from "@packshot/platform/images/heic-support.ts";
import type { Handlers } from "../../http/call.ts";
import type { ListToolModels } from "../../catalog/tool-models.ts";

export interface ToolRouteDeps {
  readonly maxPixels: number;
  readonly models: ListToolModels;
}

export function toolHandlers({ maxPixels, models }: ToolRouteDeps): Handlers {
  const toolBody = (tool: Tool, { limits }: Account) => ({
    ...tool,
    inputTypes: isHeicInstalled() ? [...inputTypes, "image/heic"] : inputTypes,
    maxFileSizeBytes: limits.maxFileSizeBytes,
    maxPixels,
    models: models(),
  });
  return {
    listTools: async ({ caller }) => ({
      status: 200,
      body: { data: toolIds.map((id) => toolBody(tools[id], caller.account)) },
    }),
    async getTool({ caller, path }) {
      const id = path.tool_id!;
      if (!isToolId(id)) throw new PackshotError("not_found", `Tool "${id}" not found.`);
      return { status: 200, body: toolBody(tools[id], caller.account) };
    },
  };
}
