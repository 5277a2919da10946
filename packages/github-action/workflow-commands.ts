/** How an action talks to GitHub's runner: inputs are in the environment, outputs and the summary are files. */

import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";

export interface Workflow {
  /** "" when it is not given. */
  input(name: string): string;
  output(name: string, value: string): void;
  /** Markdown. */
  summarize(text: string): void;
  /** An annotation of the run; `error` does not end it. */
  annotate(level: "error" | "warning", message: string): void;
  /** The runner replaces it in every log. */
  mask(secret: string): void;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function createWorkflow(environment: Environment, print: (line: string) => void): Workflow {
  const appendTo = (name: string, text: string) => {
    const path = environment[name];
    if (path) appendFileSync(path, text);
  };
  return {
    input: (name) => (environment[`INPUT_${name.replaceAll(" ", "_").toUpperCase()}`] ?? "").trim(),
    output(name, value) {
      // A delimiter that nobody can know: a value must not end itself and begin another output.
      const delimiter = `end-${randomUUID()}`;
      appendTo("GITHUB_OUTPUT", `${name}<<${delimiter}\n${value}\n${delimiter}\n`);
    },
    summarize: (text) => appendTo("GITHUB_STEP_SUMMARY", text),
    annotate: (level, message) => print(`::${level}::${escaped(message)}`),
    mask: (secret) => print(`::add-mask::${escaped(secret)}`),
  };
}

/** A message must not begin a line, and with it a command, of its own. */
function escaped(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}
