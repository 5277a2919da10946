/** The absolute URL of a resource: `https://…/v1/jobs/<id>`. */
export function resourceUrl(
  publicUrl: string,
  collection: "jobs" | "uploads" | "webhooks" | "connections" | "batches",
  id: string,
): string {
  return `${publicUrl.replace(/\/$/, "")}/v1/${collection}/${id}`;
}
