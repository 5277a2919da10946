/** One try of a probe: by HTTP, TCP, gRPC or a command in the container. */
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect } from "node:net";
import { credentials, makeClientConstructor } from "@grpc/grpc-js";
import type { Container, HTTPGetAction, Probe } from "kubernetes-types/core/v1.d.ts";
import type { ContainerProcess } from "./container-process.ts";

export interface ProbeTarget {
  readonly container: Container;
  readonly process: ContainerProcess;
  readonly address: string;
}

/** A loaded test machine answers late, which says nothing about the container: each try may take so much longer. */
const patience = 5;

/** Undefined when it succeeded, else why it did not, in kubelet's words. */
export async function tryProbe(probe: Probe, target: ProbeTarget): Promise<string | undefined> {
  const timeoutMs = (probe.timeoutSeconds ?? 1) * 1000 * patience;
  const { httpGet, tcpSocket, exec, grpc } = probe;
  if (httpGet !== undefined) return await tryHttp(httpGet, target, timeoutMs);
  if (tcpSocket !== undefined)
    return await tryTcp(portNumber(tcpSocket.port, target.container), target.address, timeoutMs);
  if (grpc !== undefined) return await tryGrpc(`${target.address}:${grpc.port}`, grpc.service ?? "", timeoutMs);
  const status = await target.process.execute(exec!.command!, timeoutMs);
  return status === 0 ? undefined : `command ${status === null ? "timed out" : `exited with ${status}`}`;
}

function portNumber(port: number | string, container: Container): number {
  if (typeof port === "number") return port;
  const named = container.ports?.find(({ name }) => name === port)?.containerPort;
  return named ?? Number(port);
}

export async function tryHttp(
  { path = "/", port, scheme = "HTTP", host, httpHeaders = [] }: HTTPGetAction,
  { container, address }: Pick<ProbeTarget, "container" | "address">,
  timeoutMs: number,
): Promise<string | undefined> {
  const headers = Object.fromEntries(httpHeaders.map(({ name, value }) => [name, value]));
  const signal = AbortSignal.timeout(timeoutMs);
  const options = { host: host ?? address, port: portNumber(port, container), path, headers, signal, agent: false };
  const request = scheme === "HTTPS" ? httpsRequest({ ...options, rejectUnauthorized: false }) : httpRequest(options);
  try {
    const answered = once(request.end(), "response", { signal });
    const [response] = (await answered) as [{ statusCode: number; resume(): void }];
    response.resume();
    const { statusCode } = response;
    return statusCode < 400 ? undefined : `HTTP probe failed with statuscode: ${statusCode}`;
  } catch (error) {
    return `Get "${scheme.toLowerCase()}://${options.host}:${options.port}${path}": ${(error as Error).message}`;
  }
}

async function tryTcp(port: number, host: string, timeoutMs: number): Promise<string | undefined> {
  const socket = connect({ host, port });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(timeoutMs) });
    return undefined;
  } catch (error) {
    return `dial tcp ${host}:${port}: ${(error as Error).message}`;
  } finally {
    socket.destroy();
  }
}

const serving = 1;
const healthClient = makeClientConstructor(
  {
    Check: {
      path: "/grpc.health.v1.Health/Check",
      requestStream: false,
      responseStream: false,
      // Each message has one field, number 1: the service's name, and its state.
      requestSerialize: (service: string) =>
        service === "" ? Buffer.alloc(0) : Buffer.concat([Buffer.from([0x0a, service.length]), Buffer.from(service)]),
      requestDeserialize: String,
      responseSerialize: () => Buffer.alloc(0),
      responseDeserialize: (message: Buffer) => message[1] ?? 0,
    },
  },
  "Health",
);

function tryGrpc(target: string, service: string, timeoutMs: number): Promise<string | undefined> {
  const client = new healthClient(target, credentials.createInsecure());
  return new Promise((resolve) => {
    client.Check!(service, { deadline: Date.now() + timeoutMs }, (error: Error | null, state: number) => {
      client.close();
      if (error !== null) resolve(`service ${service}: ${error.message}`);
      else resolve(state === serving ? undefined : `service ${service} is not serving: ${state}`);
    });
  });
}
