import { expect, test } from "vitest";
import { nextTry } from "./edit-photo.ts";

test("what concerns every photo stops the run at once", () => {
  for (const code of ["unauthenticated", "insufficient_credits", "api_disabled"])
    expect(nextTry({ code }, 1, 3)).toEqual({ kind: "stop" });
});

test("a photo that cannot be edited is given up at once", () => {
  for (const code of ["no_product_found", "unsupported_media_type", "image_too_large", "photo_changed"])
    expect(nextTry({ code, jobId: "j" }, 1, 3)).toEqual({ kind: "give-up" });
});

test("a job's error says itself whether it may pass: a photo that is not there is one try", () => {
  const error = { code: "source_unreachable", jobId: "j" };
  expect(nextTry({ ...error, retryable: false }, 1, 3)).toEqual({ kind: "give-up" });
  expect(nextTry({ ...error, retryable: true }, 1, 3)).toMatchObject({ kind: "again" });
  expect(nextTry({ code: "code_of_a_later_version", jobId: "j", retryable: true }, 1, 3).kind).toBe("again");
  expect(nextTry(error, 1, 3)).toMatchObject({ kind: "again" });
});

test("a failed job that may fare better is another edit; a request that failed is the same one", () => {
  expect(nextTry({ code: "internal_error", jobId: "j" }, 1, 3)).toEqual({
    kind: "again",
    afterMs: 1_000,
    sameEdit: false,
  });
  expect(nextTry({ code: "unavailable" }, 2, 3)).toEqual({ kind: "again", afterMs: 2_000, sameEdit: true });
  expect(nextTry({ code: "rate_limit_exceeded", retryAfterMs: 90_000 }, 1, 3)).toMatchObject({ afterMs: 90_000 });
  expect(nextTry({ code: "internal_error", jobId: "j" }, 4, 3)).toEqual({ kind: "give-up" });
});

test("a service that is gone for all tries stops the run: the next photo would not find it either", () => {
  expect(nextTry({ code: "connection_failed" }, 3, 3)).toMatchObject({ kind: "again", sameEdit: true });
  expect(nextTry({ code: "connection_failed" }, 4, 3)).toEqual({ kind: "stop" });
  expect(nextTry({ code: "invalid_response" }, 4, 3)).toEqual({ kind: "give-up" });
});

test("an edit that is over is made anew, without a wait", () => {
  for (const code of ["job_expired", "job_deleted", "idempotency_key_reused"])
    expect(nextTry({ code, jobId: "j" }, 1, 3)).toEqual({ kind: "again", afterMs: 0, sameEdit: false });
});
