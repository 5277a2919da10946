import { SignInForm } from "../layout/sign-in-form.tsx";
import { useSession } from "./session.tsx";

export function SignIn() {
  const { signIn, refusal } = useSession();
  return (
    <SignInForm
      brand="Packshot"
      intro={<p>Cut products out, stand them on shadows, and put them into scenes.</p>}
      name="key"
      label="API key"
      hint="It stays in this tab: closing the tab forgets it. make demo and packshot up print one that works."
      footer={
        <p className="hint">
          <a href="/docs">API reference</a>
        </p>
      }
      refusal={refusal}
      onSignIn={signIn}
    />
  );
}
