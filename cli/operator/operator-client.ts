import { CommandError } from "../command-line/command.ts";

const requestTimeoutMs = 30_000;

/** The operator API: accounts, their keys and credits, for whoever runs the service. */
export interface OperatorClient {
  /** Throws a CommandError with the server's own message when the answer is an error. */
  request<T>(method: "GET" | "POST" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<T>;
}

export function createOperatorClient({
  adminUrl,
  adminToken,
}: {
  adminUrl: string;
  adminToken: string;
}): OperatorClient {
  return {
    async request<T>(method: string, path: string, body?: unknown): Promise<T> {
      const answer = await fetch(`${adminUrl}${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${adminToken}`,
          ...(body !== undefined && { "Content-Type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(requestTimeoutMs),
      }).catch((error: Error & { cause?: { code?: string } }) => {
        throw new CommandError(
          `the operator API at ${adminUrl} does not answer (${error.cause?.code ?? error.message}): is the stack up?`,
        );
      });
      const text = await answer.text();
      if (!answer.ok) throw new CommandError(`${method} ${path}: ${answer.status} ${messageIn(text)}`);
      return (text === "" ? undefined : JSON.parse(text)) as T;
    },
  };
}

function messageIn(text: string): string {
  try {
    const { code, message } = JSON.parse(text) as { code?: string; message?: string };
    return [code, message].filter(Boolean).join(": ");
  } catch {
    return text.slice(0, 200);
  }
}
