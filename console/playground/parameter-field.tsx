/** A field of a tool's parameters, or a group of them, as the schema describes it. */
import { useState } from "react";
import { Button } from "../components/button.tsx";
import { CheckField, TextField } from "../components/field.tsx";
import { Select } from "../components/select.tsx";
import { isObjectList, type Parameters, type ParameterValue } from "./edit.ts";
import { fieldProblem, parameterAt, type SchemaField, withParameter } from "./schema-field.ts";

interface ParameterFieldProps {
  readonly field: SchemaField;
  readonly parameters: Parameters;
  /** undefined: it is not set. */
  readonly onChange: (path: readonly string[], value: ParameterValue | undefined) => void;
}

export function ParameterField({ field, parameters, onChange }: ParameterFieldProps) {
  const { path, label, description } = field;
  const hint = <Description text={description} />;
  const value = parameterAt(parameters, path);
  if (field.kind === "group") {
    return (
      <details className="group">
        <summary>{label}</summary>
        <p className="hint">{hint}</p>
        {field.fields.map((inner) => (
          <ParameterField key={inner.path.join(".")} field={inner} parameters={parameters} onChange={onChange} />
        ))}
      </details>
    );
  }
  if (field.kind === "list") return <ListField field={field} parameters={parameters} onChange={onChange} />;
  if (field.kind === "check") {
    const change = (isOn: boolean) => onChange(path, isOn ? true : undefined);
    return <CheckField label={label} hint={hint} isChecked={value === true} onChange={change} />;
  }
  if (field.kind === "choice") {
    const options = [
      { value: "", label: "Default" },
      ...field.choices.map((choice) => ({ value: choice, label: choice })),
    ];
    const change = (choice: string) => onChange(path, choice === "" ? undefined : choice);
    return <Select label={label} hint={hint} options={options} value={String(value ?? "")} onChange={change} />;
  }
  return <TypedField field={field} parameters={parameters} onChange={onChange} />;
}

type ListFieldProps = ParameterFieldProps & { readonly field: SchemaField & { readonly kind: "list" } };

/** Each item begins with a name that no other one has. */
function ListField({ field, parameters, onChange }: ListFieldProps) {
  const value = parameterAt(parameters, field.path);
  const items = isObjectList(value) ? value : [];
  const change = (next: readonly Parameters[]) => onChange(field.path, next.length === 0 ? undefined : next);
  function add(): void {
    const names = new Set(items.map(({ name }) => name));
    const number = Array.from({ length: items.length + 1 }, (_, n) => n + 1).find((n) => !names.has(`file-${n}`));
    change([...items, { name: `file-${number}` }]);
  }
  return (
    <details className="group">
      <summary>{field.label}</summary>
      <p className="hint">
        <Description text={field.description} />
      </p>
      {items.map((item, index) => {
        const title = `File ${index + 1}`;
        return (
          <fieldset key={title} className="group">
            <legend>{title}</legend>
            {field.fields.map((inner) => (
              <ParameterField
                key={inner.path.join(".")}
                field={inner}
                parameters={item}
                onChange={(path, next) => change(items.with(index, withParameter(item, path, next)))}
              />
            ))}
            <Button label={`Remove file ${index + 1}`} onClick={() => change(items.toSpliced(index, 1))}>
              Remove
            </Button>
          </fieldset>
        );
      })}
      <Button isDisabled={items.length >= field.itemsMax} onClick={add}>
        Add a file
      </Button>
    </details>
  );
}

/** What was typed stays in the field also while it is no value, until a value comes from elsewhere, such as the photo. */
function TypedField({ field, parameters, onChange }: ParameterFieldProps) {
  const value = parameterAt(parameters, field.path);
  const [typed, setTyped] = useState({ text: String(value ?? ""), value });
  if (String(typed.value) !== String(value)) setTyped({ text: String(value ?? ""), value });
  const { text } = typed;
  const problem = fieldProblem(field, text);

  function change(next: string): void {
    const isValue = next !== "" && fieldProblem(field, next) === undefined;
    const value = isValue ? readText(field, next) : undefined;
    setTyped({ text: next, value });
    onChange(field.path, value);
  }

  return (
    <TextField
      label={field.label}
      hint={<Description text={field.description} />}
      error={problem}
      value={text}
      onChange={change}
      {...(field.kind === "number" && { type: "number", min: field.min, max: field.max, step: "any" })}
      {...(field.kind === "text" && { maxLength: field.maxLength })}
    />
  );
}

function readText(field: SchemaField, text: string): ParameterValue {
  if (field.kind === "number") return Number(text);
  return field.kind === "text" && field.isList ? text.split(",").map((item) => item.trim()) : text;
}

/** The schema's descriptions have code between backquotes. */
export function Description({ text }: { readonly text: string }) {
  const parts = text.split("`");
  // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never change places
  return <>{parts.map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}
