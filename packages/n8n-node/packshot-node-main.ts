import { createHash } from "node:crypto";
import { Packshot as PackshotClient, PackshotError, type ToolId } from "@packshot/sdk/packshot.ts";
import type { ExecuteFunctions, NodeItem, NodeProperty } from "./n8n-host.ts";

const properties: readonly NodeProperty[] = [
  {
    displayName: "Tool",
    name: "tool",
    type: "options",
    default: "mask",
    options: [
      { name: "Cut Out", value: "mask", description: "The product without its background" },
      { name: "Cast Shadow", value: "ai-shadows", description: "The product with a shadow on a plain ground" },
      { name: "Put Into Scene", value: "ai-bg", description: "The product in a scene that words describe" },
    ],
  },
  {
    displayName: "Photo",
    name: "source",
    type: "options",
    default: "binary",
    options: [
      { name: "Binary File", value: "binary" },
      { name: "Address", value: "address", description: "Packshot fetches it" },
    ],
  },
  {
    displayName: "Input Binary Field",
    name: "binaryProperty",
    type: "string",
    default: "data",
    required: true,
    displayOptions: { show: { source: ["binary"] } },
  },
  {
    displayName: "Address",
    name: "imageUrl",
    type: "string",
    default: "",
    required: true,
    placeholder: "https://shop.example/mug.jpg",
    displayOptions: { show: { source: ["address"] } },
  },
  {
    displayName: "Preset",
    name: "preset",
    type: "string",
    default: "",
    placeholder: "amazon-main",
    description: "A marketplace's preset, or one of the account's own; empty: none",
  },
  {
    displayName: "Parameters",
    name: "parameters",
    type: "json",
    default: "{}",
    description: "Parameters of the tool, as the API has them",
  },
  {
    displayName: "Put Result in Field",
    name: "resultProperty",
    type: "string",
    default: "data",
    required: true,
    description: "The binary field that gets the edited photo",
  },
];

/** n8n finds it by the file's name. An item is a photo, and its result an item with the edited photo as a binary file. */
export class Packshot {
  readonly description = {
    displayName: "Packshot",
    name: "packshot",
    group: ["transform"],
    version: 1,
    subtitle: "={{$parameter.tool}}",
    description: "Edit product photos",
    defaults: { name: "Packshot" },
    inputs: ["main"],
    outputs: ["main"],
    credentials: [{ name: "packshotApi", required: true }],
    properties,
  } as const;

  /** n8n calls it with its own functions as `this`. */
  async execute(this: ExecuteFunctions): Promise<NodeItem[][]> {
    const { url, apiKey } = await this.getCredentials("packshotApi");
    const client = new PackshotClient({ baseUrl: String(url), apiKey: String(apiKey) });
    const made: NodeItem[] = [];
    for (const item of this.getInputData().keys()) {
      try {
        made.push(await editItem(this, client, item));
      } catch (error) {
        if (!this.continueOnFail()) throw error;
        const code = error instanceof PackshotError ? error.code : undefined;
        made.push({ json: { error: (error as Error).message, code }, pairedItem: { item } });
      }
    }
    return [made];
  }
}

async function editItem(host: ExecuteFunctions, client: PackshotClient, item: number): Promise<NodeItem> {
  const given = (name: string) => String(host.getNodeParameter(name, item) ?? "");
  const signal = host.getExecutionCancelSignal?.();
  const preset = given("preset").trim();
  const tool = given("tool") as ToolId;
  const parameters = readParameters(host.getNodeParameter("parameters", item));
  const source = await sourceOf(host, item, given);
  const { id, report, creditsCharged, ...edited } = await client
    .edit(tool, source, {
      parameters,
      ...(preset !== "" && { preset }),
      idempotencyKey: await keyOf(host, [item, tool, preset, parameters], source),
      ...(signal !== undefined && { signal }),
    })
    .then(async ({ job, download }) => ({ ...job, file: await download(signal === undefined ? {} : { signal }) }));
  const { stream, contentType } = edited.file;
  const bytes = Buffer.from(await new Response(stream).arrayBuffer());
  const extension = contentType === "image/jpeg" ? "jpg" : contentType.replace("image/", "");
  return {
    json: { jobId: id, quality: report?.quality, reasons: report?.reasons, creditsCharged },
    binary: {
      [given("resultProperty")]: await host.helpers.prepareBinaryData(bytes, `${id}.${extension}`, contentType),
    },
    pairedItem: { item },
  };
}

/** The same for each try of an execution: with *Retry On Fail* n8n runs all items again, and those that are done are not paid twice. */
async function keyOf(host: ExecuteFunctions, edit: readonly unknown[], source: string | Blob): Promise<string> {
  const bytes = typeof source === "string" ? source : Buffer.from(await source.arrayBuffer());
  const of = JSON.stringify([host.getExecutionId(), host.getNode().name, ...edit]);
  return `n8n-${createHash("sha256").update(of).update(bytes).digest("hex").slice(0, 40)}`;
}

async function sourceOf(host: ExecuteFunctions, item: number, given: (name: string) => string): Promise<string | Blob> {
  if (given("source") === "address") return given("imageUrl");
  const property = given("binaryProperty");
  const { mimeType } = host.helpers.assertBinaryData(item, property);
  const bytes = await host.helpers.getBinaryDataBuffer(item, property);
  return new Blob([new Uint8Array(bytes)], { type: mimeType });
}

/** An expression gives an object, and what people write is text. */
function readParameters(value: unknown): Record<string, unknown> {
  return typeof value === "string" ? JSON.parse(value || "{}") : ((value ?? {}) as Record<string, unknown>);
}
