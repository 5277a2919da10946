/** A server whose answers no bucket and no receiver of webhooks should give; the first part of a path names the answer. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";

export interface AnswerSite {
  /** `host:port`. */
  readonly address: string;
  stop(): Promise<void>;
}

const answer = (status: string, headers: string, body = "") =>
  `HTTP/1.1 ${status}\r\n${headers}Connection: close\r\n\r\n${body}`;
const whole = (status: string, body: string | Buffer, headers = "") =>
  Buffer.concat([
    Buffer.from(answer(status, `${headers}Content-Length: ${Buffer.byteLength(body)}\r\n`)),
    Buffer.from(body),
  ]);
const bomb = `<?xml version="1.0"?><!DOCTYPE e [<!ENTITY a "${"x".repeat(100)}">${Array.from({ length: 9 }, (_none, n) => `<!ENTITY ${"b".repeat(n + 1)} "${"&a;".repeat(10)}">`).join("")}]><Error><Code>&bbbbbbbbb;</Code></Error>`;

/** Sent as they are; then the connection is closed. */
const bytesOf = {
  nothing: "",
  noise: Buffer.from(Array.from({ length: 4_000 }, (_none, n) => (n * 73 + 41) % 256)),
  "no-http": "220 smtp.example ESMTP\r\n",
  "header-flood": answer("200 OK", `X-Flood: ${"a".repeat(200_000)}\r\n`),
  "many-headers": answer("200 OK", "X-Many: 1\r\n".repeat(20_000)),
  "two-lengths": answer("200 OK", "Content-Length: 1\r\nContent-Length: 2\r\n", "ab"),
  "negative-length": answer("200 OK", "Content-Length: -1\r\n", "ab"),
  "huge-length": answer("200 OK", "Content-Length: 99999999999999999999\r\n", "ab"),
  "bad-chunks": answer("200 OK", "Transfer-Encoding: chunked\r\n", "zz\r\nab\r\n"),
  short: answer("200 OK", "Content-Length: 1000\r\n", "ab"),
  packed: whole("200 OK", gzipSync(Buffer.alloc(4 * 1024 * 1024)), "Content-Encoding: gzip\r\n"),
  inside: whole("307 Temporary Redirect", "", "Location: http://169.254.169.254/latest/meta-data/\r\n"),
  ring: whole("302 Found", "", "Location: /ring\r\n"),
  "xml-bomb": whole("403 Forbidden", bomb),
  "xml-depth": whole("403 Forbidden", `<Error>${"<Code>".repeat(2_500)}`),
  "code-with-lines": whole("403 Forbidden", "<Error><Code>a\r\nX-Forged: 1\u0000\u001b[2J</Code></Error>"),
  upgrade: answer("101 Switching Protocols", "Upgrade: websocket\r\n"),
  hints: `${"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".repeat(2_000)}${answer("500 Late", "Content-Length: 0\r\n")}`,
  "odd-status": answer("999 Odd", "Content-Length: 0\r\n"),
  "never-again": whole("503 Busy", "", `Retry-After: ${"9".repeat(40)}\r\n`),
  gone: whole("410 Gone", "gone"),
} as const;

/** The one that goes on until the other side has enough. */
const endless = "endless";

export const answerNames = [endless, ...(Object.keys(bytesOf) as (keyof typeof bytesOf)[])] as const;
export type AnswerName = (typeof answerNames)[number];

/** Their status is what a receiver of webhooks has to say. */
export const acceptedAnswers: ReadonlySet<AnswerName> = new Set(["short", "packed", "bad-chunks", endless]);

export async function startAnswerSite(): Promise<AnswerSite> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
    socket.once("data", (head) => {
      const [, name] = /^\w+ \/([\w-]+)/.exec(head.toString("latin1")) ?? [];
      if (name === endless) pour(socket);
      else socket.end(bytesOf[name as keyof typeof bytesOf] ?? "");
      socket.resume();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

const portion = Buffer.alloc(64 * 1024, "x");

function pour(socket: Socket): void {
  const more = () => {
    while (socket.writable && socket.write(portion));
  };
  socket.on("drain", more);
  socket.write(answer("200 OK", ""));
  more();
}
