/**
 * What n8n hands to a node, as far as ours uses it. n8n's own types have a license that the product's dependencies may not have
 * (Sustainable Use), so they are described here, by n8n's public documentation.
 */

export interface NodeProperty {
  readonly displayName: string;
  readonly name: string;
  readonly type: "string" | "options" | "json";
  readonly default: string;
  readonly description?: string;
  readonly required?: boolean;
  readonly placeholder?: string;
  readonly typeOptions?: { readonly password: boolean };
  readonly options?: readonly { readonly name: string; readonly value: string; readonly description?: string }[];
  readonly displayOptions?: { readonly show: Readonly<Record<string, readonly string[]>> };
}

/** A file beside an item. Where n8n keeps it is n8n's own matter. */
export interface BinaryData {
  readonly mimeType: string;
  readonly fileName?: string;
}

export interface NodeItem {
  readonly json: object;
  readonly binary?: Readonly<Record<string, BinaryData>>;
  /** The input item that it was made of. */
  readonly pairedItem?: { readonly item: number };
}

export interface ExecuteFunctions {
  getExecutionId(): string;
  getNode(): { readonly name: string };
  getInputData(): readonly NodeItem[];
  getNodeParameter(name: string, itemIndex: number): unknown;
  getCredentials(name: string): Promise<Readonly<Record<string, unknown>>>;
  /** The person who made the workflow wants faults as items. */
  continueOnFail(): boolean;
  getExecutionCancelSignal?(): AbortSignal | undefined;
  readonly helpers: {
    assertBinaryData(itemIndex: number, property: string): BinaryData;
    getBinaryDataBuffer(itemIndex: number, property: string): Promise<Uint8Array>;
    prepareBinaryData(bytes: Buffer, fileName: string, mimeType: string): Promise<BinaryData>;
  };
}
