import type { ReactNode } from "react";
import { Field } from "./field.tsx";

export interface SelectOption {
  readonly value: string;
  readonly label: string;
}

interface SelectProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly value: string;
  readonly options: readonly SelectOption[];
  readonly onChange: (value: string) => void;
}

export function Select({ label, hint, error, value, options, onChange }: SelectProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(bind) => (
        <select {...bind} value={value} onChange={(event) => onChange(event.target.value)}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
