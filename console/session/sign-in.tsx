import { type FormEvent, useEffect, useState } from "react";
import { Button } from "../components/button.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { TextField } from "../components/field.tsx";
import { ThemeToggle } from "../components/theme-toggle.tsx";
import { useSession } from "./session.tsx";

export function SignIn() {
  const { signIn } = useSession();
  const [key, setKey] = useState("");
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    document.title = "Sign in · Packshot";
  }, []);

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setError(undefined);
    try {
      await signIn(key.trim());
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
        <h1>Packshot</h1>
        <p>Cut products out, stand them on shadows, and put them into scenes.</p>
        <TextField
          label="API key"
          hint="It stays in this tab: closing the tab forgets it. make demo and packshot up print one that works."
          type="password"
          name="key"
          autoComplete="off"
          spellCheck={false}
          required
          value={key}
          onChange={setKey}
        />
        {error !== undefined && <ErrorNote error={error} />}
        <Button kind="primary" type="submit" isBusy={isBusy} isDisabled={key.trim() === ""}>
          Sign in
        </Button>
        <p className="hint">
          <a href="/docs">API reference</a>
        </p>
      </form>
    </main>
  );
}
