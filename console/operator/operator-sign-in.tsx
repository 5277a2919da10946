import { type FormEvent, useEffect, useState } from "react";
import { Button } from "../components/button.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { TextField } from "../components/field.tsx";
import { ThemeToggle } from "../components/theme-toggle.tsx";
import { useOperatorSession } from "./operator-session.tsx";

export function OperatorSignIn() {
  const { signIn } = useOperatorSession();
  const [token, setToken] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    document.title = "Sign in · Packshot operator";
  }, []);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await signIn(token.trim());
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
        <h1>Packshot operator</h1>
        <TextField
          label="Operator's token"
          hint="The value of PACKSHOT_ADMIN_TOKEN. It stays in this tab: closing the tab forgets it."
          type="password"
          name="token"
          autoComplete="off"
          spellCheck={false}
          required
          value={token}
          onChange={setToken}
        />
        {error !== undefined && <ErrorNote error={error} />}
        <Button kind="primary" type="submit" isBusy={isBusy} isDisabled={token.trim() === ""}>
          Sign in
        </Button>
      </form>
    </main>
  );
}
