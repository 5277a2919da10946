/** A secret that is shown this once. */
import type { ReactNode } from "react";
import { CodeBlock } from "./code-block.tsx";
import { Dialog } from "./dialog.tsx";

interface SecretOnceProps {
  readonly title: string;
  /** What it is: "key", "secret". */
  readonly what: string;
  readonly secret: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

export function SecretOnce({ title, what, secret, onClose, children }: SecretOnceProps) {
  return (
    <Dialog title={title} closeLabel="I have stored it" onClose={onClose}>
      {children}
      <CodeBlock text={secret} what={what} />
    </Dialog>
  );
}
