/** Clients that break the protocol once and disconnect. No other client may notice them. */
import { type ClientHttp2Session, connect, constants } from "node:http2";
import { connect as connectTcp } from "node:net";
import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";

const protoFile = fileURLToPath(new URL("../../proto/open_inference.proto", import.meta.url));
const requestType = new protobuf.Root()
  .loadSync(protoFile, { keepCase: true })
  .lookupType("inference.ModelInferRequest");

export interface Victim {
  /** host:port of its gRPC. */
  readonly address: string;
  /** A model with u8 images as input. */
  readonly model: string;
  readonly side: number;
}

export interface MisbehavingClient {
  readonly does: string;
  act(victim: Victim): Promise<void>;
}

/** Length-prefixed, as gRPC frames it. */
export function framed(message: Uint8Array, flag = 0, length = message.length): Buffer {
  const head = Buffer.alloc(5);
  head[0] = flag;
  head.writeUInt32BE(length, 1);
  return Buffer.concat([head, message]);
}

export function inferMessage({ model, side }: Victim, id: string, changes: object = {}): Uint8Array {
  const message = {
    model_name: model,
    id,
    parameters: { tenant: { string_param: "misbehaving" } },
    inputs: [{ name: "image", datatype: "UINT8", shape: [1, side, side, 3] }],
    raw_input_contents: [Buffer.alloc(side * side * 3, 7)],
    ...changes,
  };
  return requestType.encode(requestType.fromObject(message)).finish();
}

const service = "/inference.GRPCInferenceService";

export function openCall(session: ClientHttp2Session, method: string) {
  const call = session.request({
    ":method": "POST",
    ":path": `${service}/${method}`,
    "content-type": "application/grpc",
    te: "trailers",
  });
  // The outcome of its own call does not matter.
  call.on("error", () => {});
  return call;
}

export function openSession({ address }: Victim): ClientHttp2Session {
  const session = connect(`http://${address}`);
  session.on("error", () => {});
  return session;
}

const connected = (session: ClientHttp2Session): Promise<void> =>
  new Promise((resolve) => void session.once("connect", () => resolve()));

async function destroySession(session: ClientHttp2Session): Promise<void> {
  const closed = new Promise<void>((resolve) => void session.once("close", () => resolve()));
  session.destroy();
  await closed;
}

/** Sends `bytes` on a call of its own and waits until the server ends it. */
async function sendAndAwaitEnd(victim: Victim, method: string, bytes: Uint8Array): Promise<void> {
  const session = openSession(victim);
  const call = openCall(session, method);
  const ended = new Promise<void>((resolve) => void call.once("close", () => resolve()));
  call.resume();
  call.end(bytes);
  await ended;
  await destroySession(session);
}

function rawBytes({ address }: Victim, bytes: Uint8Array): Promise<void> {
  const [host, port] = address.split(":") as [string, string];
  return new Promise((resolve) => {
    const socket = connectTcp(Number(port), host);
    socket.on("error", () => {});
    socket.once("close", () => resolve());
    socket.resume();
    socket.end(bytes);
  });
}

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const noise = (count: number): Buffer => Buffer.from(Array.from({ length: count }, (_, at) => (at * 167 + 13) & 255));

function invalidRequest(does: string, changes: (victim: Victim) => object): MisbehavingClient {
  return {
    does: `asks for ${does}`,
    act: (victim) => sendAndAwaitEnd(victim, "ModelInfer", framed(inferMessage(victim, "nonsense", changes(victim)))),
  };
}

export const misbehavingClients: readonly MisbehavingClient[] = [
  {
    does: "hangs up in the middle of a request",
    async act(victim) {
      const session = openSession(victim);
      const call = openCall(session, "ModelInfer");
      await connected(session);
      const bytes = framed(inferMessage(victim, "half"));
      await new Promise<void>((resolve) => void call.write(bytes.subarray(0, bytes.length / 2), () => resolve()));
      await destroySession(session);
    },
  },
  {
    does: "cancels what it has just asked",
    async act(victim) {
      const session = openSession(victim);
      const calls = Array.from({ length: 8 }, () => openCall(session, "ModelInfer"));
      const closed = calls.map((call) => new Promise<void>((resolve) => void call.once("close", () => resolve())));
      for (const call of calls) call.end(framed(inferMessage(victim, "cancelled")));
      for (const call of calls) call.close(constants.NGHTTP2_CANCEL);
      await Promise.all(closed);
      await destroySession(session);
    },
  },
  {
    does: "disconnects from a stream while answers are on their way",
    async act(victim) {
      const session = openSession(victim);
      const call = openCall(session, "ModelStreamInfer");
      const first = new Promise<void>((resolve) => {
        call.once("data", () => resolve());
        call.once("close", () => resolve());
      });
      for (let at = 0; at < 6; at += 1) call.write(framed(inferMessage(victim, `vanishing-${at}`)));
      await first;
      await destroySession(session);
    },
  },
  {
    does: "asks without ever reading an answer",
    async act(victim) {
      const session = openSession(victim);
      const call = openCall(session, "ModelStreamInfer");
      const answering = new Promise<void>((resolve) => {
        call.once("response", () => resolve());
        call.once("close", () => resolve());
      });
      for (let at = 0; at < 40; at += 1) call.write(framed(inferMessage(victim, `unread-${at}`)));
      await answering;
      await destroySession(session);
    },
  },
  {
    does: "speaks HTTP/1.1",
    act: (victim) => rawBytes(victim, Buffer.from("POST /v2/models HTTP/1.1\r\nHost: x\r\n\r\n")),
  },
  { does: "sends noise", act: (victim) => rawBytes(victim, noise(4_096)) },
  {
    does: "sends noise after HTTP/2's preface",
    act: (victim) => rawBytes(victim, Buffer.concat([preface, noise(4_096)])),
  },
  {
    does: "sends a message that is no protobuf",
    act: (victim) => sendAndAwaitEnd(victim, "ModelInfer", framed(noise(500))),
  },
  {
    does: "promises four gigabytes",
    act: (victim) => sendAndAwaitEnd(victim, "ModelInfer", framed(noise(100), 0, 0xffff_ffff)),
  },
  {
    does: "sends noise as gzip",
    act: (victim) => sendAndAwaitEnd(victim, "ModelInfer", framed(noise(500), 1)),
  },
  {
    does: "sends noise into a stream",
    act: (victim) => sendAndAwaitEnd(victim, "ModelStreamInfer", framed(noise(500))),
  },
  { does: "calls a method that does not exist", act: (victim) => sendAndAwaitEnd(victim, "Nothing", framed(noise(5))) },
  invalidRequest("a model that does not exist", () => ({ model_name: "nothing" })),
  invalidRequest("an image of negative size", ({ side }) => ({
    inputs: [{ name: "image", datatype: "UINT8", shape: [-1, side, side, 3] }],
  })),
  invalidRequest("an image of a size beyond memory", ({ side }) => ({
    inputs: [{ name: "image", datatype: "UINT8", shape: [1, side, side, "9007199254740993"] }],
  })),
  invalidRequest("an image with too few bytes", () => ({ raw_input_contents: [Buffer.alloc(5)] })),
  invalidRequest("nothing", () => ({ inputs: [], raw_input_contents: [] })),
  invalidRequest("an answer before it asked", () => ({ parameters: { deadline_ms: { int64_param: 1 } } })),
];
