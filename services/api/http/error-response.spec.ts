import { expect, test } from "vitest";
import { errorResponse, toPackshotError } from "./respond.ts";

function named(name: string): Error {
  return Object.assign(new Error("raised"), { name });
}

test.each([
  ["a full disk", Object.assign(new Error("no space left on device"), { code: "ENOSPC" })],
  [
    "a full disk as the cause of another error",
    new Error("the form's file could not be stored", { cause: Object.assign(new Error("write"), { code: "ENOSPC" }) }),
  ],
  ["a log that takes no writes", named("LogRefused")],
  ["a log that does not answer", named("TimeoutError")],
])("%s is temporary: 503 with Retry-After, and no internals in the body", (_what, cause) => {
  const error = toPackshotError(cause);
  expect(error.cause).toBe(cause);
  const { status, body, headers } = errorResponse(error, "r");
  expect([status, headers]).toEqual([503, { "Retry-After": "5" }]);
  expect(body).toMatchObject({ code: "unavailable" });
  expect(JSON.stringify(body)).not.toMatch(/no space left|raised|write/);
});

test("any other unexpected error is an internal error", () => {
  expect(errorResponse(toPackshotError(new TypeError("x is undefined")), "r")).toMatchObject({
    status: 500,
    body: { code: "internal_error" },
  });
});
