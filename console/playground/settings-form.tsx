/** Tool, preset, theme and every other parameter, made of what the tool says about itself. */
import type { Preset, Tool, ToolId } from "@packshot/sdk";
import { formatCredits } from "../components/format.ts";
import { Select, type SelectOption } from "../components/select.tsx";
import type { EditRequest, Parameters, ParameterValue } from "./edit.ts";
import { Description, ParameterField } from "./parameter-field.tsx";
import { type SchemaField, schemaFields, withParameter } from "./schema-field.ts";
import { ThemePicker } from "./theme-picker.tsx";

interface SettingsFormProps {
  readonly tools: readonly Tool[];
  readonly presets: readonly Preset[];
  readonly request: EditRequest;
  readonly onChange: (request: EditRequest) => void;
}

const firstFields = ["theme", "preset", "seed"];

export function SettingsForm({ tools, presets, request, onChange }: SettingsFormProps) {
  const tool = tools.find(({ id }) => id === request.tool) ?? tools[0]!;
  const fields = schemaFields(tool.parameters).map((field) => withPresetsOfFiles(field, { tool, tools, presets }));
  const first = firstFields.flatMap((name) => fields.filter(({ path }) => path[0] === name));
  const others = fields.filter((field) => !first.includes(field));
  const own = presets.filter((preset) => preset.tool === tool.id);
  const setParameter = (path: readonly string[], value: ParameterValue | undefined) =>
    onChange({ ...request, parameters: withParameter(request.parameters, path, value) });
  const common = { parameters: request.parameters, onChange: setParameter };
  const hasPresetField = fields.some(({ path }) => path[0] === "preset");
  return (
    <form className="card settings" aria-label="Settings" onSubmit={(event) => event.preventDefault()}>
      <ToolChoice tools={tools} selected={tool.id} onSelect={(id) => onChange(forTool(request, tools, id))} />
      {!hasPresetField && own.length > 0 && (
        <PresetChoice request={request} own={own} choices={[]} onChange={onChange} />
      )}
      {first.map((field) =>
        field.path[0] === "preset" && field.kind === "choice" ? (
          <PresetChoice
            key="preset"
            request={request}
            own={own}
            onChange={onChange}
            choices={field.choices}
            hint={field.description}
          />
        ) : field.path[0] === "theme" ? (
          <ThemePicker
            key="theme"
            field={field}
            theme={String(request.parameters.theme ?? "")}
            onChange={(theme) => setParameter(field.path, theme === "" ? undefined : theme)}
          />
        ) : (
          <ParameterField key={`${tool.id} ${field.path[0]}`} field={field} {...common} />
        ),
      )}
      <details className="more">
        <summary>All parameters</summary>
        {others.map((field) =>
          field.path[0] === "model" ? (
            <ModelChoice key="model" tool={tool} field={field} {...common} />
          ) : (
            <ParameterField key={`${tool.id} ${field.path[0]}`} field={field} {...common} />
          ),
        )}
      </details>
    </form>
  );
}

type Choices = Pick<SettingsFormProps, "tools" | "presets"> & { readonly tool: Tool };

/** A file of several may have a marketplace's preset, or one of the account's own of this tool; with mask, of shadows, too. */
function withPresetsOfFiles(field: SchemaField, { tool, tools, presets }: Choices): SchemaField {
  if (field.kind !== "list") return field;
  const mask = tools.find(({ id }) => id === "mask");
  const marketplaces = schemaFields(mask?.parameters ?? {}).flatMap((each) =>
    each.path[0] === "preset" && each.kind === "choice" ? each.choices : [],
  );
  const own = presets.filter(
    (preset) => preset.tool === tool.id || (tool.id === "mask" && preset.tool === "ai-shadows"),
  );
  const choices = [...own.map(({ name }) => name), ...marketplaces];
  const fields = field.fields.map((inner): SchemaField => {
    const { path, label, description } = inner;
    return path[0] === "preset" ? { path, label, description, kind: "choice", choices } : inner;
  });
  return { ...field, fields };
}

/** Parameters that the other tool has too stay as they are. */
function forTool({ parameters }: EditRequest, tools: readonly Tool[], id: ToolId): EditRequest {
  const names = new Set(schemaFields(tools.find((tool) => tool.id === id)!.parameters).map(({ path }) => path[0]));
  const kept = Object.entries(parameters).filter(([name]) => names.has(name));
  return { tool: id, parameters: Object.fromEntries(kept) };
}

interface ToolChoiceProps {
  readonly tools: readonly Tool[];
  readonly selected: ToolId;
  readonly onSelect: (id: ToolId) => void;
}

function ToolChoice({ tools, selected, onSelect }: ToolChoiceProps) {
  return (
    <fieldset className="tools">
      <legend>Tool</legend>
      {tools.map(({ id, name, description, creditsPerEdit }) => (
        <label key={id} className={id === selected ? "tool tool-selected" : "tool"}>
          <input type="radio" name="tool" value={id} checked={id === selected} onChange={() => onSelect(id)} />
          <span>
            <b>{name}</b>
            <span className="hint">
              {description} {formatCredits(creditsPerEdit)}.
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

interface PresetChoiceProps {
  readonly request: EditRequest;
  readonly own: readonly Preset[];
  /** Marketplaces' presets. */
  readonly choices: readonly string[];
  readonly hint?: string;
  readonly onChange: (request: EditRequest) => void;
}

function PresetChoice({ request, own, choices, hint, onChange }: PresetChoiceProps) {
  const { preset: _, ...others } = request;
  const options: SelectOption[] = [
    { value: "", label: "None" },
    ...own.map(({ name }) => ({ value: `own ${name}`, label: `${name} (yours)` })),
    ...choices.map((name) => ({ value: `of ${name}`, label: name })),
  ];
  const { preset: marketplace } = request.parameters;
  const value = request.preset !== undefined ? `own ${request.preset}` : marketplace ? `of ${marketplace}` : "";
  function select(choice: string): void {
    const [kind, name = ""] = choice.split(" ");
    const parameters: Parameters = withParameter(request.parameters, ["preset"], kind === "of" ? name : undefined);
    onChange({ ...others, parameters, ...(kind === "own" && { preset: name }) });
  }
  return (
    <Select
      label="Preset"
      value={value}
      options={options}
      onChange={select}
      {...(hint !== undefined && { hint: <Description text={hint} /> })}
    />
  );
}

interface FieldProps {
  readonly field: SchemaField;
  readonly parameters: Parameters;
  readonly onChange: (path: readonly string[], value: ParameterValue | undefined) => void;
}

function ModelChoice({ tool, field, parameters, onChange }: FieldProps & { readonly tool: Tool }) {
  const options = [
    { value: "", label: "Default" },
    ...tool.models.map(({ name, description }) => ({ value: name, label: `${name}: ${description}` })),
  ];
  return (
    <Select
      label={field.label}
      hint={<Description text={field.description} />}
      value={String(parameters.model ?? "")}
      options={options}
      onChange={(name) => onChange(field.path, name === "" ? undefined : name)}
    />
  );
}
