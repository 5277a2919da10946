import type { NodeProperty } from "./n8n-host.ts";

/** n8n finds it by the file's name, and keeps what it asks for encrypted. */
export class PackshotApi {
  readonly name = "packshotApi";
  readonly displayName = "Packshot API";
  readonly properties: readonly NodeProperty[] = [
    {
      displayName: "Address",
      name: "url",
      type: "string",
      default: "",
      placeholder: "https://packshot.example",
      required: true,
    },
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      default: "",
      required: true,
    },
  ];

  readonly authenticate = {
    type: "generic",
    properties: { headers: { Authorization: "=Bearer {{$credentials.apiKey}}" } },
  } as const;

  /** What n8n's button "Test" asks for. */
  readonly test = { request: { baseURL: "={{$credentials.url}}", url: "/v1/account" } } as const;
}
