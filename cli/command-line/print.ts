/** What commands write to stdout and stderr. Nothing else in cli/ writes there, so no foreign text steers a terminal. */
import type { Writable } from "node:stream";
import { controlCharacters } from "@packshot/domain/control-characters.ts";

/**
 * The text on one line, each character that could steer a terminal as its JSON escape: C0 and C1 controls (an OSC 52
 * sets the clipboard, a CSI moves over what was printed before) and those that turn the direction of letters. JSON that
 * is made visible keeps its value.
 */
export function visible(text: string): string {
  return text.replaceAll(
    controlCharacters,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** The same for text of several lines; tabs stay too. */
function visibleLines(text: string): string {
  return text.replaceAll(/[^\n\t]+/g, visible);
}

export function printLine(text: string): void {
  process.stdout.write(`${visible(text)}\n`);
}

/** Text of this program's own making, such as a help; what others have named in it is made visible all the same. */
export function printText(text: string): void {
  process.stdout.write(visibleLines(text));
}

/** For people, beside an output that scripts read. */
export function printNote(text: string): void {
  process.stderr.write(`${visibleLines(text)}\n`);
}

/** A line that the next one replaces: on a terminal only. */
export function rewriteLine(text: string): void {
  process.stdout.write(`\r\u001b[K${visible(text)}`);
}

/** `style` is what colors it, and gets text that is visible already. */
export function printStyled(text: string, style: (text: string) => string): void {
  process.stdout.write(`${style(visible(text))}\n`);
}

/** Rows under a header, each column as wide as its widest cell. */
export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [header, ...rows].map((row) => row.map(visible));
  const widths = header.map((_, column) => Math.max(...lines.map((row) => row[column]!.length)));
  for (const row of lines) {
    process.stdout.write(
      `${row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join("  ")
        .trimEnd()}\n`,
    );
  }
}

export function printJson(value: unknown): void {
  printText(`${JSON.stringify(value, null, 2)}\n`);
}

/** A file's bytes as they are, unless a person looks at them. */
export async function writeVisibly(
  chunks: AsyncIterable<Uint8Array>,
  output: Writable & { readonly isTTY?: boolean },
): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of chunks) {
    const written = output.isTTY ? visibleLines(decoder.decode(chunk, { stream: true })) : chunk;
    if (!output.write(written)) await new Promise((resolve) => output.once("drain", resolve));
  }
}
