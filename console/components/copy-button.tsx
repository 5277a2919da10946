import { useState } from "react";
import { Button } from "./button.tsx";
import { useToast } from "./toast.tsx";

interface CopyButtonProps {
  readonly text: string;
  /** What is copied: "key", "command". */
  readonly what: string;
}

const saidMs = 2_000;

export function CopyButton({ text, what }: CopyButtonProps) {
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
