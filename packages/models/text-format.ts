/**
 * Protobuf's text format, read into plain objects (snake-case names) and held to a message type. Source: the text format
 * specification of Protocol Buffers, without extensions and `Any`.
 */
import protobuf from "protobufjs";

export type Message = Record<string, unknown>;

/** Throws an error that names the file and the line. */
export function parseTextFormat(text: string, file: string, type: protobuf.Type): Message {
  return readMessage(new TokenReader(text, file), type, null);
}

/** Splits the text format into tokens: words and numbers, quoted strings, and the marks { } [ ] < > : , ;. */
class TokenReader {
  readonly file: string;
  #tokens: { text: string; quoted: boolean; line: number }[] = [];
  #at = 0;

  constructor(text: string, file: string) {
    this.file = file;
    const pattern = /#[^\n]*|\n|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|[A-Za-z0-9_.+-]+|[{}[\]<>:,;]|[^\s]/g;
    let line = 1;
    for (const match of text.matchAll(pattern)) {
      const token = match[0];
      if (token === "\n") line += 1;
      else if (token.startsWith("#")) continue;
      else if (match[1] !== undefined || match[2] !== undefined) {
        this.#tokens.push({ text: unescaped(match[1] ?? match[2]!), quoted: true, line });
      } else this.#tokens.push({ text: token, quoted: false, line });
    }
  }

  peek(): string | null {
    const token = this.#tokens[this.#at];
    return token === undefined ? null : token.quoted ? `"${token.text}"` : token.text;
  }

  next(): { text: string; quoted: boolean } {
    const token = this.#tokens[this.#at];
    if (token === undefined) throw this.fault("ends too early; a } is missing");
    this.#at += 1;
    return token;
  }

  /** Takes the mark if it is next. */
  take(mark: string): boolean {
    const token = this.#tokens[this.#at];
    if (token === undefined || token.quoted || token.text !== mark) return false;
    this.#at += 1;
    return true;
  }

  fault(message: string): Error {
    const token = this.#tokens[Math.min(this.#at, this.#tokens.length - 1)];
    return new Error(`${this.file}:${token?.line ?? 1}: ${message}`);
  }
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/g, (_, char: string) => ({ n: "\n", t: "\t", r: "\r" })[char] ?? char);
}

const nestingMax = 16;

function readMessage(reader: TokenReader, type: protobuf.Type, end: "}" | ">" | null, depth = 0): Message {
  if (depth > nestingMax) throw reader.fault(`nested more than ${nestingMax} deep`);
  const message: Message = {};
  while (end === null ? reader.peek() !== null : !reader.take(end)) {
    const name = reader.next().text;
    const field = type.fields[name]?.resolve() as protobuf.Field | undefined;
    if (!field) {
      throw reader.fault(`${type.name} has no field ${name} that this server honors; remove it`);
    }
    const colon = reader.take(":");
    if (reader.take("[")) {
      if (!field.repeated && !field.map) throw reader.fault(`${name} takes one value, not a list`);
      while (!reader.take("]")) {
        store(message, field, readValue(reader, field, true, depth), reader);
        reader.take(",");
      }
    } else {
      store(message, field, readValue(reader, field, colon, depth), reader);
    }
    if (!reader.take(",")) reader.take(";");
  }
  return message;
}

function readValue(reader: TokenReader, field: protobuf.Field, colon: boolean, depth: number): unknown {
  const inner = field.resolvedType;
  if (field.map) return readMapEntry(reader, field, depth);
  if (inner instanceof protobuf.Type) return readMessage(reader, inner, openingOf(reader, field), depth + 1);
  if (!colon) throw reader.fault(`a colon is missing after ${field.name}`);
  const token = reader.next();
  if (inner instanceof protobuf.Enum) {
    if (token.quoted || inner.values[token.text] === undefined) {
      throw reader.fault(`${field.name} ${token.text}; it is one of ${Object.keys(inner.values).join(", ")}`);
    }
    return token.text;
  }
  return scalar(reader, field, token);
}

function scalar(reader: TokenReader, field: protobuf.Field, token: { text: string; quoted: boolean }): unknown {
  if (field.type === "string" || field.type === "bytes") {
    if (!token.quoted) throw reader.fault(`${field.name} needs a quoted string, not ${token.text}`);
    return token.text;
  }
  if (field.type === "bool") {
    if (token.quoted || !["true", "false"].includes(token.text)) throw reader.fault(`${field.name} is true or false`);
    return token.text === "true";
  }
  const number = Number(token.text);
  if (token.quoted || !Number.isFinite(number)) throw reader.fault(`${field.name} needs a number, not ${token.text}`);
  return number;
}

function readMapEntry(reader: TokenReader, field: protobuf.Field, depth: number): [string, unknown] {
  const end = openingOf(reader, field);
  let key = "";
  let value: unknown = field.resolvedType instanceof protobuf.Type ? {} : "";
  while (!reader.take(end)) {
    const part = reader.next().text;
    const colon = reader.take(":");
    if (part === "key" && colon) key = reader.next().text;
    else if (part === "value" && field.resolvedType instanceof protobuf.Type) {
      value = readMessage(reader, field.resolvedType, openingOf(reader, field), depth + 1);
    } else if (part === "value" && colon) value = reader.next().text;
    else throw reader.fault(`${field.name} takes key: and value:, not ${part}`);
    if (!reader.take(",")) reader.take(";");
  }
  return [key, value];
}

function openingOf(reader: TokenReader, field: protobuf.Field): "}" | ">" {
  if (reader.take("{")) return "}";
  if (reader.take("<")) return ">";
  throw reader.fault(`${field.name} needs a { … }`);
}

function store(message: Message, field: protobuf.Field, value: unknown, reader: TokenReader): void {
  if (field.map) {
    const [key, entry] = value as [string, unknown];
    message[field.name] = { ...((message[field.name] ?? {}) as object), [key]: entry };
  } else if (field.repeated) {
    message[field.name] = [...((message[field.name] ?? []) as unknown[]), value];
  } else {
    if (message[field.name] !== undefined) throw reader.fault(`${field.name} stands twice`);
    message[field.name] = value;
  }
}
