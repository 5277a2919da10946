import { Packshot, PackshotError } from "@packshot/sdk/packshot.ts";
import { CommandError } from "../command-line/command.ts";
import type { Service } from "./service-access.ts";

/** A person at a terminal would rather wait for an hourly rate than begin anew. */
const retryAfterMsMax = 600_000;

export function openClient(service: Service): Packshot {
  return new Packshot({ ...service, retryAfterMsMax });
}

/** What went wrong, as a sentence with what to do about it. */
export function sentenceOf(error: PackshotError): string {
  const advice = advices[error.code];
  const said = error.message.replace(/\.$/, "");
  if (advice === undefined) return `${said} (${error.code}).`;
  return `${said}: ${advice}${advice.endsWith("?") ? "" : "."}`;
}

const advices: Readonly<Record<string, string>> = {
  unauthenticated: "give a key that works with --key or PACKSHOT_KEY",
  insufficient_credits: "ask the operator for credits (packshot accounts grant)",
  api_disabled: "ask the operator, who has suspended the account",
  connection_failed: "does the service run, and is its address right?",
  timed_out: "is the service overloaded, or behind a proxy that holds requests?",
  rate_limit_exceeded: "the account's hourly rate is used up; try again later",
  scope_missing: "use a key with that scope",
};

/** Rejects with a CommandError where the service refused or was not there. */
export async function explained<T>(pending: Promise<T>): Promise<T> {
  try {
    return await pending;
  } catch (error) {
    throw error instanceof PackshotError ? new CommandError(sentenceOf(error)) : error;
  }
}
