import { useState } from "react";
import { Button } from "./button.tsx";
import { useToast } from "./toast.tsx";

interface CodeBlockProps {
  readonly text: string;
  /** What it is: "command", "program". */
  readonly what: string;
}

export function CodeBlock({ text, what }: CodeBlockProps) {
  return (
    <div className="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also with the keyboard */}
      <section tabIndex={0} aria-label={what}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <CopyButton text={text} what={what} />
    </div>
  );
}

interface CopyButtonProps {
  readonly text: string;
  /** What is copied: "key", "command". */
  readonly what: string;
}

const saidMs = 2_000;

function CopyButton({ text, what }: CopyButtonProps) {
  const toast = useToast();
  const [isCopied, setCopied] = useState(false);

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      return toast(`The browser does not let the page copy: select the ${what} and copy it yourself`);
    }
    setCopied(true);
    toast(`Copied the ${what}`);
    setTimeout(() => setCopied(false), saidMs);
  }

  return (
    <Button label={`Copy the ${what}`} onClick={() => void copy()}>
      {isCopied ? "Copied" : "Copy"}
    </Button>
  );
}
