/** Protobuf's text format, read by protobufjs, with errors that name the file, the line and what to do. */
import protobuf from "protobufjs";
import textformat from "protobufjs/ext/textformat.js";

export type Message = Record<string, unknown>;

const quotedCharsMax = 120;

/** A plain object: snake-case names, enums by name, 64-bit numbers as numbers. Absent fields stay absent. */
export function parseTextFormat(text: string, file: string, type: protobuf.Type): Message {
  try {
    return type.toObject(textformat.fromText(type, text), { enums: String, longs: Number });
  } catch (cause) {
    const { message } = cause as Error;
    const [, fault, line] = /^(.*) \(line (\d+)\)$/s.exec(message) ?? [null, message, lineOf(message, text, type)];
    const written = text.split("\n")[Number(line) - 1]!.trim().slice(0, quotedCharsMax);
    throw new Error(`${file}:${line}: ${explain(fault!, type.root)}, in: ${written}`, { cause });
  }
}

/**
 * The parser names no line for a value of the wrong type. It reads from left to right, so the fault is in the first
 * line up to which the text fails with the same message.
 */
function lineOf(message: string, text: string, type: protobuf.Type): number {
  const lines = text.split("\n");
  const failsAlike = (count: number): boolean => {
    try {
      textformat.fromText(type, lines.slice(0, count).join("\n"));
      return false;
    } catch (error) {
      return (error as Error).message === message;
    }
  };
  return lines.findIndex((_, at) => failsAlike(at + 1)) + 1 || 1;
}

/** Puts the parser's full names (`.inference.ModelConfig.name`) into an operator's words. */
function explain(fault: string, root: protobuf.Root): string {
  const [, path, complaint] = /^\.?([\w.]+): (.*)$/s.exec(fault) ?? [];
  if (path === undefined) return fault;
  const name = path.slice(path.lastIndexOf(".") + 1);
  const unknownField = /^unknown field '(.*)'$/.exec(complaint!)?.[1];
  if (unknownField !== undefined) return `${name} has no field ${unknownField} that this server honors; remove it`;
  if (complaint === "enum value expected") return `${name} is one of ${enumValues(root.lookup(path)).join(", ")}`;
  return `${name}: ${complaint}`;
}

function enumValues(field: protobuf.ReflectionObject | null): string[] {
  const type = field instanceof protobuf.Field ? field.resolvedType : null;
  return type instanceof protobuf.Enum ? Object.keys(type.values) : [];
}
