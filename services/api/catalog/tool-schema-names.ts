import type { ToolId } from "@packshot/domain/tools.ts";

/** Names in openapi.yaml of the tools' parameter schemas. */
export const toolSchemaNames: Readonly<Record<ToolId, string>> = {
  mask: "MaskParameters",
  "ai-shadows": "AiShadowsParameters",
  "ai-bg": "AiBgParameters",
};
