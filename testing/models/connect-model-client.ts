import {
  createOpenInferenceClient,
  type OpenInferenceClient,
} from "@packshot/inference/model-client/open-inference-client.ts";

/** The worker's client, connected to a model server that is ready. */
export async function connectModelClient(address: string): Promise<OpenInferenceClient> {
  const client = createOpenInferenceClient({ address });
  if (!client.ready()) await new Promise<void>((resolve) => client.onReadyChange((ready) => ready && resolve()));
  return client;
}
