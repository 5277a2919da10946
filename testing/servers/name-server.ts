/** A small DNS server over UDP, for A and AAAA. What it answers, and when, is up to the test. */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";

const codes = { ok: 0, serverFailure: 2, noSuchName: 3 };
const typeOf = { A: 1, AAAA: 28 };
const headerBytes = 12;

/** Addresses of both families; those of the other one than was asked for are left out. */
export type Answer = readonly string[] | "no such name" | "server failure";

export interface Question {
  readonly name: string;
  readonly type: "A" | "AAAA";
  /** An answer that comes too late is nobody's. */
  answer(answer: Answer): void;
}

export interface NameServer {
  /** As `setServers` of `node:dns` takes it. */
  readonly address: string;
  /** The names that were asked for, each once, in order. */
  readonly names: readonly string[];
  stop(): Promise<void>;
}

/** On a free port of loopback, unless it is told where. */
export async function startNameServer(
  onQuestion: (question: Question) => void,
  { host = "127.0.0.1", port = 0 } = {},
): Promise<NameServer> {
  const socket = createSocket("udp4");
  const names = new Set<string>();
  let isStopped = false;
  socket.on("message", (query, { address, port }) => {
    const { name, type, questionEnd } = readQuestion(query);
    names.add(name);
    onQuestion({
      name,
      type,
      answer(answer) {
        if (!isStopped) socket.send(writeAnswer(query.subarray(0, questionEnd), type, answer), port, address);
      },
    });
  });
  socket.bind(port, host);
  await once(socket, "listening");
  return {
    address: `${host}:${socket.address().port}`,
    get names() {
      return [...names];
    },
    async stop() {
      isStopped = true;
      socket.close();
      await once(socket, "close");
    },
  };
}

function readQuestion(query: Buffer): { name: string; type: Question["type"]; questionEnd: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = query.readUInt16BE(at + 1) === typeOf.AAAA ? "AAAA" : "A";
  return { name: labels.join(".").toLowerCase(), type, questionEnd: at + 5 };
}

function writeAnswer(question: Buffer, type: Question["type"], answer: Answer): Buffer {
  const addresses = typeof answer === "string" ? [] : answer.filter((address) => isIPv6(address) === (type === "AAAA"));
  const code =
    answer === "no such name" ? codes.noSuchName : answer === "server failure" ? codes.serverFailure : codes.ok;
  const message = Buffer.from(question);
  message.writeUInt16BE(0x8180 | code, 2); // A response; recursion was desired and is available.
  for (const [count, at] of [
    [1, 4],
    [addresses.length, 6],
    [0, 8],
    [0, 10],
  ] as const) {
    message.writeUInt16BE(count, at);
  }
  return Buffer.concat([message, ...addresses.map((address) => resourceRecord(type, address))]);
}

function resourceRecord(type: Question["type"], address: string): Buffer {
  const bytes = type === "A" ? Buffer.from(address.split(".").map(Number)) : ipv6Bytes(address);
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc000 | headerBytes, 0); // The name is that of the question.
  head.writeUInt16BE(typeOf[type], 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
}

function ipv6Bytes(address: string): Buffer {
  const [head = "", tail = ""] = address.split("::");
  const [start, end] = [head, tail].map((part) => part.split(":").filter(Boolean));
  const groups = [...start!, ...Array<string>(8 - start!.length - end!.length).fill("0"), ...end!];
  return Buffer.from(groups.map((group) => group.padStart(4, "0")).join(""), "hex");
}
