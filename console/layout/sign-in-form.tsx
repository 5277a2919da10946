import { type FormEvent, type ReactNode, useEffect, useState } from "react";
import { Button } from "../components/button.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { TextField } from "../components/field.tsx";
import { ThemeToggle } from "../components/theme-toggle.tsx";

interface SignInFormProps {
  readonly brand: string;
  readonly intro?: ReactNode;
  /** Name and label of the field, and a hint below it. */
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  /** Below the button. */
  readonly footer?: ReactNode;
  /** Why somebody who was signed in no longer is. */
  readonly refusal?: unknown;
  /** Rejects with what the page shows. */
  readonly onSignIn: (secret: string) => Promise<void>;
}

/** Asks for a secret. */
export function SignInForm({ brand, intro, name, label, hint, footer, refusal, onSignIn }: SignInFormProps) {
  const [secret, setSecret] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState(refusal);
  useEffect(() => {
    document.title = `Sign in · ${brand}`;
  }, [brand]);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await onSignIn(secret.trim());
    } catch (error) {
      setError(error);
      setBusy(false);
    }
  }

  return (
    <main className="sign-in">
      <div className="sign-in-theme">
        <ThemeToggle />
      </div>
      <form onSubmit={submit} className="card">
        <h1>{brand}</h1>
        {intro}
        <TextField
          label={label}
          hint={hint}
          type="password"
          name={name}
          autoComplete="off"
          spellCheck={false}
          required
          value={secret}
          onChange={setSecret}
        />
        {error !== undefined && <ErrorNote error={error} />}
        <Button kind="primary" type="submit" isBusy={isBusy} isDisabled={secret.trim() === ""}>
          Sign in
        </Button>
        {footer}
      </form>
    </main>
  );
}
