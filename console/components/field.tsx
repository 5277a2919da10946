/** A labeled input with its hint and its error. */
import { type ReactNode, useId } from "react";

/** For the input itself: `<Field label="Name">{(bind) => <input {...bind} />}</Field>`. */
export interface FieldBinding {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean | undefined;
}

export interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  readonly children: (bind: FieldBinding) => ReactNode;
}

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const hintId = hint === undefined ? undefined : `${id}-hint`;
  const errorId = error === undefined ? undefined : `${id}-error`;
  const describedBy = [hintId, errorId].filter(Boolean).join(" ");
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, "aria-describedby": describedBy || undefined, "aria-invalid": error !== undefined || undefined })}
      {hint !== undefined && (
        <p className="hint" id={hintId}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p className="field-error" id={errorId}>
          {error}
        </p>
      )}
    </div>
  );
}

interface TextFieldProps extends Omit<FieldProps, "children"> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly type?: "text" | "password" | "number" | "url" | "date" | "datetime-local" | "search";
  readonly name?: string;
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly autoComplete?: string;
  readonly spellCheck?: boolean;
  readonly min?: number | string | undefined;
  readonly max?: number | string | undefined;
  readonly step?: number | "any" | undefined;
  readonly maxLength?: number | undefined;
  /** A regular expression that the whole value must match. */
  readonly pattern?: string;
}

export function TextField({ label, hint, error, value, onChange, type = "text", ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(bind) => (
        <input {...bind} {...input} type={type} value={value} onChange={(event) => onChange(event.target.value)} />
      )}
    </Field>
  );
}

interface CheckFieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

export function CheckField({ label, hint, isChecked, onChange }: CheckFieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label className="check">
        <input
          type="checkbox"
          checked={isChecked}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          onChange={(event) => onChange(event.target.checked)}
        />
        {label}
      </label>
      {hint !== undefined && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
