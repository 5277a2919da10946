import {
  createOpenInferenceClient,
  type OpenInferenceClient,
  type OpenInferenceClientDeps,
} from "@packshot/inference/model-client/open-inference-client.ts";

/** The worker's client, connected to a model server that is ready. */
export async function connectModelClient(
  address: string,
  deps: Omit<OpenInferenceClientDeps, "address"> = {},
): Promise<OpenInferenceClient> {
  const client = createOpenInferenceClient({ address, ...deps });
  if (!client.ready()) await new Promise<void>((resolve) => client.onReadyChange((ready) => ready && resolve()));
  return client;
}
