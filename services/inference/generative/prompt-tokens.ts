/** Prompts as the ids of a model's own `tokenizer.json`: Qwen's for FLUX.2, CLIP's for SD and SDXL. */
import { Tokenizer } from "@huggingface/tokenizers";

export interface PromptTokens {
  /** Exactly as many as asked for. */
  readonly ids: readonly number[];
  /** 1 for each that is the prompt's, 0 for each that fills up. */
  readonly mask: readonly number[];
}

export interface PromptTokenizer {
  encode(text: string): readonly number[];
  /** What does not fit is cut off at the end. */
  encodePadded(text: string, count: number): PromptTokens;
  /** Exactly as many, of which the last token of what does not fit stays: it ends the prompt, and CLIP reads it there. */
  encodeEnded(text: string, count: number): readonly number[];
}

/** The package takes it for a space within words, as JavaScript does, and Hugging Face's own does not. It means nothing. */
const byteOrderMark = "\ufeff";

/** @param json the parsed `tokenizer.json` */
export function promptTokenizer(json: object, padding: string): PromptTokenizer {
  const tokenizer = new Tokenizer(json, {});
  const pad = tokenizer.token_to_id(padding);
  if (pad === undefined) throw new Error(`tokenizer.json has no token ${padding}`);
  const encode = (text: string) => tokenizer.encode(text.replaceAll(byteOrderMark, "")).ids;
  return {
    encode,
    encodePadded(text, count) {
      const ids = encode(text).slice(0, count);
      const filled = Array.from({ length: count - ids.length }, () => pad);
      return { ids: [...ids, ...filled], mask: [...ids.map(() => 1), ...filled.map(() => 0)] };
    },
    encodeEnded(text, count) {
      const ids = encode(text);
      if (ids.length > count) return [...ids.slice(0, count - 1), ids.at(-1)!];
      return [...ids, ...Array.from({ length: count - ids.length }, () => pad)];
    },
  };
}

/**
 * A request as Qwen3's chat template writes it, with thinking off: FLUX.2's text encoder was trained on nothing else. Marks
 * within the prompt become tokens, too: whoever writes the prompt gets the picture, so nothing is won by them.
 */
export function qwenChat(prompt: string): string {
  return `<|im_start|>user\n${prompt}<|im_end|>\n<|im_start|>assistant\n<think>\n\n</think>\n\n`;
}
