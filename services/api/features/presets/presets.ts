import { assertKeyTemplate } from "@packshot/domain/connections/bucket-key.ts";
import { isToolId, type ToolId, toolIds, tools } from "@packshot/domain/edits/tools.ts";
import type { AccountPreset } from "@packshot/domain/presets/account-preset.ts";
import { realmOf } from "../../access/caller.ts";
import { assertModel, type ListToolModels } from "../../catalog/tool-models.ts";
import type { Core, Feature } from "../../core/core.ts";
import type { Call, Handlers } from "../../http/call.ts";
import type { Contract, ParseBody } from "../../http/contract.ts";
import type { AccountDeps } from "../../records/commit-account.ts";
import {
  deletePreset,
  listPresets,
  type PresetFields,
  type PresetRef,
  putPreset,
  readPreset,
} from "./preset-actions.ts";

export function createPresets(core: Core): Feature {
  return { handlers: presetHandlers(core) };
}

interface PresetHandlerDeps extends AccountDeps {
  readonly contract: Contract;
  readonly models: ListToolModels;
}

function presetHandlers(deps: PresetHandlerDeps): Handlers {
  const parsers = createParsers(deps.contract);
  return {
    async listPresets({ caller }) {
      const presets = await listPresets(deps, { realm: realmOf(caller) });
      return { status: 200, body: { data: presets.map(presetBody) } };
    },

    async getPreset(call) {
      return { status: 200, body: presetBody(await readPreset(deps, presetRef(call))) };
    },

    async putPreset(call) {
      const { tool } = (call.body ?? {}) as { tool?: unknown };
      // For a tool that does not exist any parser names the field.
      const parse = parsers[typeof tool === "string" && isToolId(tool) ? tool : "mask"];
      const { parameters = {}, ...fields } = parse(call.body) as Partial<PresetFields> & Pick<PresetFields, "tool">;
      if (parameters.model !== undefined) assertModel(deps.models, parameters.model);
      if (fields.destination !== undefined) assertKeyTemplate(fields.destination.key);
      const { preset, isNew } = await putPreset(deps, { ...presetRef(call), fields: { ...fields, parameters } });
      return { status: isNew ? 201 : 200, body: presetBody(preset) };
    },

    async deletePreset(call) {
      await deletePreset(deps, presetRef(call));
      return { status: 204 };
    },
  };
}

/** The contract's NewPreset with one tool's parameters. */
function createParsers(contract: Contract): Record<ToolId, ParseBody> {
  const schema = contract.document.components.schemas.NewPreset as { properties: Record<string, object> };
  const parserFor = (tool: ToolId) =>
    contract.compileBody({ ...schema, properties: { ...schema.properties, parameters: tools[tool].parameters } });
  return Object.fromEntries(toolIds.map((tool) => [tool, parserFor(tool)])) as Record<ToolId, ParseBody>;
}

function presetRef({ caller, path }: Call): PresetRef {
  return { realm: realmOf(caller), name: path.name! };
}

function presetBody({ name, tool, parameters, destination, live, createdAt, updatedAt }: AccountPreset) {
  return { name, tool, parameters, destination: destination ?? null, live, createdAt, updatedAt };
}
