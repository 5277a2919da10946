/** The theme in words, with the service's named themes to choose from as pictures. */
import { listAll } from "../api/api.ts";
import { Field } from "../components/field.tsx";
import { useRead } from "../session/read.ts";
import { Description } from "./parameter-field.tsx";
import type { SchemaField } from "./schema-field.ts";
import "./theme-picker.css";

interface ThemePickerProps {
  readonly field: SchemaField;
  readonly theme: string;
  readonly onChange: (theme: string) => void;
}

export function ThemePicker({ field, theme, onChange }: ThemePickerProps) {
  const { data: themes = [] } = useRead(["themes"], (api, signal) => listAll(api.packshot.tools.themes({ signal })));
  return (
    <>
      <Field label={field.label} hint={<Description text={field.description} />}>
        {(bind) => (
          <input
            {...bind}
            maxLength={field.kind === "text" ? field.maxLength : undefined}
            value={theme}
            onChange={({ target }) => onChange(target.value)}
          />
        )}
      </Field>
      {themes.length > 0 && (
        <details className="themes">
          <summary>Choose a theme</summary>
          <ul className="theme-list">
            {themes.map(({ id, title, theme: words, thumbnailUrl }) => (
              <li key={id}>
                <button type="button" aria-pressed={words === theme} title={words} onClick={() => onChange(words)}>
                  <img src={pictureHere(thumbnailUrl)} alt="" width={120} height={90} loading="lazy" />
                  {title}
                </button>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** Links lead to the service's public address, which may be another name of the server that this page came from. */
function pictureHere(link: string): string {
  return link.slice(link.lastIndexOf("/themes/"));
}
