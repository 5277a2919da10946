/** Errors as clients of remove.bg know them: `{errors: [{title, code, detail}]}`, with its codes and statuses. */
import { type ErrorCode, errorCatalog, type PackshotError } from "@packshot/domain/errors.ts";
import type { ApiResponse } from "../../http/call.ts";
import { errorResponse } from "../../http/error-response.ts";

interface Translation {
  /** Absent: as in our own catalog. */
  readonly status?: number;
  readonly code: string;
  readonly title: string;
}

/** Codes without a line here keep their own name and status. */
const translations: Readonly<Partial<Record<ErrorCode, Translation>>> = {
  unauthenticated: { status: 403, code: "auth_failed", title: "API Key invalid" },
  api_disabled: { code: "auth_failed", title: "API access is suspended" },
  insufficient_credits: { code: "insufficient_credits", title: "Insufficient credits" },
  rate_limit_exceeded: { code: "rate_limit_exceeded", title: "Rate limit exceeded" },
  queue_full: { code: "rate_limit_exceeded", title: "Too many photos wait already" },
  file_too_large: { status: 400, code: "file_too_large", title: "File too large" },
  image_too_large: { status: 400, code: "resolution_too_high", title: "Image resolution too high" },
  unsupported_media_type: { status: 400, code: "invalid_file_type", title: "Invalid file type" },
  image_unreadable: { status: 400, code: "failed_to_read_image", title: "There was an error reading the image" },
  no_product_found: { status: 400, code: "unknown_foreground", title: "Could not identify foreground in image" },
  source_unreachable: { status: 400, code: "failed_image_download", title: "Failed to download image" },
  source_forbidden: { status: 400, code: "failed_image_download", title: "Failed to download image" },
  background_unusable: { status: 400, code: "failed_bg_download", title: "Failed to read background image" },
  region_out_of_bounds: { status: 400, code: "roi_exceeds_bounds", title: "ROI exceeds image bounds" },
  model_unavailable: { status: 503, code: "model_unavailable", title: "Temporarily unavailable" },
  deadline_exceeded: { status: 504, code: "timeout", title: "The image took too long" },
};

/** Problems that remove.bg has codes for, and we have none of our own. */
const titlesOfProblems: Readonly<Record<string, string>> = {
  missing_source: "No image given",
  multiple_sources: "Multiple image sources given",
  multiple_bg_sources: "Multiple background sources given",
  roi_exceeds_bounds: "ROI exceeds image bounds",
  roi_region_empty: "ROI region is empty",
};

export function removeBgErrorResponse(error: PackshotError, requestId: string): ApiResponse {
  const { status, headers } = errorResponse(error, requestId);
  const translated = translate(error);
  const { "WWW-Authenticate": _, ...kept } = headers ?? {};
  return {
    status: translated.status ?? status,
    headers: kept,
    body: { errors: [{ title: translated.title, code: translated.code, detail: error.message }] },
  };
}

function translate({ code, details }: PackshotError): Translation {
  if (code !== "invalid_request") return translations[code] ?? { code, title: errorCatalog[code].meaning };
  const { problem, field } = (details ?? {}) as { readonly problem?: string; readonly field?: string };
  if (problem !== undefined) return { code: problem, title: titlesOfProblems[problem] ?? problem };
  if (field === undefined) return { code, title: "Invalid request" };
  if (field === "image_file_b64")
    return { code: "failed_to_read_image", title: "There was an error reading the image" };
  return { code: `invalid_${field}`, title: `Invalid value for parameter '${field}'` };
}
