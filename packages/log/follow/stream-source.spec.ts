import { expect, test } from "vitest";
import { sourceSequence, streamSource, streamSourceIn } from "./stream-source.ts";

const header = "PS_STATE 2 ps.*.event.> > ps.07.event.a.b.completed SikSAb7l";

test("the header of nats-server 2.15 names stream and sequence, whether it is read as text or with the client", () => {
  expect(streamSource(header)).toEqual({ stream: "PS_STATE", sequence: 2 });
  expect(streamSourceIn(`NATS/1.0\r\nNats-Stream-Source: ${header}\r\n\r\n`)).toEqual(streamSource(header));
  expect(streamSourceIn("NATS/1.0\r\n\r\n")).toBeUndefined();
  expect(streamSource("PS_STATE x ps.event.> > x")).toBeUndefined();
  expect(streamSource(undefined)).toBeUndefined();
});

test("a message of another stream, or of none, has no sequence in this one", () => {
  expect(sourceSequence(streamSource(header), "PS_STATE")).toBe(2);
  expect(sourceSequence(streamSource(header), "OTHER")).toBeUndefined();
  expect(sourceSequence(undefined, "PS_STATE")).toBeUndefined();
});
