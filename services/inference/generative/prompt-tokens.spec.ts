import { expect, test } from "vitest";
import { readReferences } from "../../../testing/generative/references.ts";
import { promptTokenizer, qwenChat } from "./prompt-tokens.ts";

const { prompts, ...expected } = readReferences("tokens.json");

test.each([
  { kind: "qwen", padding: "<|endoftext|>" },
  { kind: "clip", padding: "<|endoftext|>" },
] as const)(
  "a tokenizer of $kind's kind gives the ids of 1,000 prompts that Hugging Face's own gives",
  ({ kind, padding }) => {
    const tokenizer = promptTokenizer(readReferences(`${kind}-tokenizer.json`), padding);
    expect(prompts.length).toBe(1_000);
    const different = prompts.filter((prompt, at) => tokenizer.encode(prompt).join() !== expected[kind][at]!.join());
    expect(different.map((each) => JSON.stringify(each))).toEqual([]);
  },
);

test("prompts are filled up to the count, and cut off at it", () => {
  const tokenizer = promptTokenizer(readReferences("qwen-tokenizer.json"), "<|endoftext|>");
  const [end] = tokenizer.encode("<|endoftext|>");
  const ids = tokenizer.encode("oak");
  const filled = tokenizer.encodePadded("oak", ids.length + 2);
  expect(filled).toEqual({ ids: [...ids, end, end], mask: [...ids.map(() => 1), 0, 0] });
  expect(tokenizer.encodePadded("oak table", 1)).toEqual({ ids: ids.slice(0, 1), mask: [1] });
  expect(() => promptTokenizer(readReferences("qwen-tokenizer.json"), "<pad>")).toThrow("no token <pad>");
});

test("a byte order mark within a prompt changes nothing", () => {
  const tokenizer = promptTokenizer(readReferences("clip-tokenizer.json"), "<|endoftext|>");
  expect(tokenizer.encode("oak\ufeff, warm\ufeff")).toEqual(tokenizer.encode("oak, warm"));
});

test("a chat ends where the answer begins, and what looks like its marks are single tokens", () => {
  const tokenizer = promptTokenizer(readReferences("qwen-tokenizer.json"), "<|endoftext|>");
  const chat = tokenizer.encode(qwenChat("oak"));
  const [start] = tokenizer.encode("<|im_start|>");
  expect(chat.filter((id) => id === start)).toHaveLength(2);
  expect(chat[0]).toBe(start);
});
