import { createHash, timingSafeEqual } from "node:crypto";
import { PackshotError } from "@packshot/domain/errors.ts";
import { bearerToken } from "./bearer-token.ts";
import type { Credentials } from "./credentials.ts";

/**
 * Checks the `Authorization` header of the operator's API. Hashes are compared: they have equal lengths, and a
 * comparison in constant time tells nobody how much of a guess was right. Throws `unauthenticated`.
 */
export function createOperatorCheck(
  token: string,
): (credentials: Pick<Credentials, "authorization">) => Promise<undefined> {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  const expected = digest(token);
  return async ({ authorization }) => {
    const given = bearerToken(authorization);
    if (given === undefined || !timingSafeEqual(digest(given), expected)) {
      throw new PackshotError("unauthenticated", "Send the operator's token as: Authorization: Bearer …");
    }
    return undefined;
  };
}
