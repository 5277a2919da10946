/**
 * An answer of JetStream's API that was stored as a record. Who asks chooses the subject of the answer, and nats-server
 * does not look whether they may write there: that is how a service's stolen credentials can destroy a record that they
 * may not publish (docs/adr/0018-nats-permissions.md). Such a message is never taken for a record.
 */
const beginning = Buffer.from('{"type":"io.nats.jetstream.api.');

export function isApiAnswer(message: Uint8Array | string): boolean {
  if (typeof message === "string") return message.startsWith(beginning.toString());
  return message.length >= beginning.length && beginning.equals(message.subarray(0, beginning.length));
}
