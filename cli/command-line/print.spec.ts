/** What others have named must not steer the terminal that prints it. */
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { visible, writeVisibly } from "./print.ts";

test("control characters are shown, and letters of every script are left alone", () => {
  expect(visible("\u001b]0;owned\u0007 a\u009b31mb\u007f\r\nc")).toBe(
    "\\u001b]0;owned\\u0007 a\\u009b31mb\\u007f\\u000d\\u000ac",
  );
  expect(visible("gpj\u202e.exe \u2066x\u2069 \u2028")).toBe("gpj\\u202e.exe \\u2066x\\u2069 \\u2028");
  const plain = "Krug für Öl, 花瓶, кружка, 👩‍🎨 → 204";
  expect(visible(plain)).toBe(plain);
});

test("JSON that is made visible has the same value", () => {
  const value = { ref: "a\u009b2J\u202e\u007f", lines: "a\nb" };
  const shown = visible(JSON.stringify(value));
  expect(shown).not.toMatch(/[\u007f-\u009f\u202e]/);
  expect(JSON.parse(shown)).toEqual(value);
});

test("a file that goes to a terminal keeps its lines, and a character that two chunks share", async () => {
  const bytes = Buffer.from("ref,error\nkrüg\u009b2J,\u001b[31mred\n");
  const terminal = new PassThrough();
  const file = new PassThrough();
  const chunks = async function* () {
    for (const byte of bytes) yield Uint8Array.of(byte);
  };
  await writeVisibly(chunks(), Object.assign(terminal, { isTTY: true }));
  await writeVisibly(chunks(), file);
  terminal.end();
  file.end();
  expect(await text(terminal)).toBe("ref,error\nkrüg\\u009b2J,\\u001b[31mred\n");
  expect(await text(file)).toBe(bytes.toString());
});
