/** Refuses calls without one of the server's bearer tokens. Probes need none: whether a server lives is no secret. */
import { hash, timingSafeEqual } from "node:crypto";
import {
  ResponderBuilder,
  ServerInterceptingCall,
  type ServerInterceptor,
  ServerListenerBuilder,
  status,
} from "@grpc/grpc-js";

/** Kubernetes and load balancers ask them. */
const openMethods = [
  "/grpc.health.v1.Health/",
  "/inference.GRPCInferenceService/ServerLive",
  "/inference.GRPCInferenceService/ServerReady",
];

/** @param tokens asked at each call; none: every call is accepted */
export function requireToken(tokens: () => readonly string[]): ServerInterceptor {
  return ({ path }, call) => {
    if (openMethods.some((open) => path.startsWith(open))) return new ServerInterceptingCall(call);
    const listener = new ServerListenerBuilder()
      .withOnReceiveMetadata((metadata, next) => {
        const refusal = refusalOf(metadata.get("authorization")[0], tokens());
        // Not passed on: nothing of the request is read.
        if (refusal !== undefined) call.sendStatus({ code: status.UNAUTHENTICATED, details: refusal });
        else next(metadata);
      })
      .build();
    const responder = new ResponderBuilder().withStart((next) => next(listener)).build();
    return new ServerInterceptingCall(call, responder);
  };
}

function refusalOf(header: string | Buffer | undefined, tokens: readonly string[]): string | undefined {
  if (tokens.length === 0) return undefined;
  const given = /^Bearer +(\S+)$/i.exec(String(header ?? ""))?.[1];
  if (given === undefined)
    return 'this model server wants a token: send the metadata "authorization: Bearer …" (PACKSHOT_MODEL_SERVER_TOKEN)';
  // All are compared, each in constant time, so that the time tells nothing of any.
  const isKnown = tokens.map((token) => isEqual(given, token)).includes(true);
  return isKnown ? undefined : "the token is none of this model server's (PACKSHOT_MODEL_SERVER_TOKEN)";
}

function isEqual(a: string, b: string): boolean {
  return timingSafeEqual(hash("sha256", a, "buffer"), hash("sha256", b, "buffer"));
}
