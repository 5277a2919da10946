/** Sends bytes as they are, each request on a connection of its own, and says in a few words what came back. */
import { connect } from "node:net";

export interface HostileClient {
  /** Sends the bytes, and then, where nothing more may come, ends this side of the connection. */
  sendBytes(bytes: Buffer, end: "ends" | "stays"): Promise<string>;
  /** A request that is well-formed where its parts are. `key: null` sends no key. */
  request(request: RawRequest): Promise<Answer>;
  /** Submits an edit, and waits for its end. */
  edit(request: Omit<RawRequest, "method" | "path">, tool?: string): Promise<string>;
  /** Jobs that were accepted. */
  readonly jobIds: Set<string>;
}

export interface RawRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  readonly key?: string | null;
}

export interface Answer {
  /** 0: the connection ended without an answer. */
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape; the attacks say which
  readonly body: any;
  readonly text: string;
}

/** For what is sent whole at once: an answer takes milliseconds, and that of an edit at most its wait of 30 seconds. */
const answerTimeoutMs = 90_000;

export function createHostileClient(apiUrl: string, apiKey: string): HostileClient {
  const { hostname, port, host } = new URL(apiUrl);
  const jobIds = new Set<string>();

  async function exchange(bytes: Buffer, end: "ends" | "stays"): Promise<Answer> {
    const received: Buffer[] = [];
    await new Promise<void>((resolve, reject) => {
      const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
      const late = () => socket.destroy(new Error(`no answer in ${answerTimeoutMs} ms to ${quote(bytes)}`));
      socket.setTimeout(answerTimeoutMs, late);
      socket.on("data", (chunk: Buffer) => received.push(chunk));
      socket.on("end", () => socket.destroy());
      // A server that refuses what is still being sent may reset the connection after its answer.
      socket.on("error", (error: NodeJS.ErrnoException) => (error.code === undefined ? reject(error) : undefined));
      socket.on("close", () => resolve());
      socket.write(bytes);
      // Node takes the end for a client that has gone, and answers it no more.
      if (end === "ends") socket.end();
    });
    return readAnswer(Buffer.concat(received));
  }

  async function request({ method, path, headers = {}, body, key = apiKey }: RawRequest): Promise<Answer> {
    const lines = Object.entries({
      Host: host,
      Connection: "close",
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { "Content-Length": String(body.length) }),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    const head = Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1");
    const answer = await exchange(Buffer.concat([head, body ?? Buffer.alloc(0)]), "stays");
    if (typeof answer.body?.id === "string" && typeof answer.body.tool === "string") jobIds.add(answer.body.id);
    return answer;
  }

  async function edit(order: Omit<RawRequest, "method" | "path">, tool = "mask"): Promise<string> {
    const headers = { ...order.headers, Prefer: "wait=30" };
    let answer = await request({ ...order, headers, method: "POST", path: `/v1/tools/${tool}/edit` });
    while (answer.body?.status === "queued" || answer.body?.status === "processing")
      answer = await request({ method: "GET", path: `/v1/jobs/${answer.body.id}`, headers: { Prefer: "wait=30" } });
    return describe(answer);
  }

  return { sendBytes: async (bytes, end) => describe(await exchange(bytes, end)), request, edit, jobIds };
}

export function describe({ status, body }: Answer): string {
  if (status === 0) return "closed";
  const words = typeof body?.code === "string" ? [body.code] : isJob(body) ? [body.status, body.error?.code] : [];
  return [status, ...words].filter((word) => word !== undefined && word !== null).join(" ");
}

const isJob = (body: Answer["body"]) => typeof body?.tool === "string" && typeof body.status === "string";
const quote = (bytes: Buffer) => JSON.stringify(bytes.subarray(0, 120).toString("latin1"));

/** The first answer on the connection, if there are several. */
function readAnswer(bytes: Buffer): Answer {
  const all = bytes.toString("latin1");
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(all)?.[1] ?? 0);
  const headEnd = all.indexOf("\r\n\r\n");
  const head = headEnd < 0 ? all : all.slice(0, headEnd);
  const length = /^content-length: (\d+)/im.exec(head)?.[1];
  const rest = headEnd < 0 ? "" : all.slice(headEnd + 4);
  const text = /^transfer-encoding: chunked/im.test(head)
    ? unchunk(rest)
    : rest.slice(0, Number(length ?? rest.length));
  const isJson = /^content-type: application\/json/im.test(head);
  return {
    status,
    text: all,
    body: isJson && text !== "" ? JSON.parse(Buffer.from(text, "latin1").toString()) : undefined,
  };
}

function unchunk(text: string): string {
  let at = 0;
  let whole = "";
  for (;;) {
    const lineEnd = text.indexOf("\r\n", at);
    const bytes = Number.parseInt(text.slice(at, lineEnd), 16);
    if (lineEnd < 0 || !(bytes > 0)) return whole;
    whole += text.slice(lineEnd + 2, lineEnd + 2 + bytes);
    at = lineEnd + 2 + bytes + 2;
  }
}
