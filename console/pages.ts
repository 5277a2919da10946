/** The console's pages. Each is loaded when it is first opened. */
import { type ComponentType, lazy } from "react";
import type { Page, PageProps } from "./router/match-page.ts";

function load(read: () => Promise<ComponentType<PageProps>>) {
  return lazy(async () => ({ default: await read() }));
}

const Playground = load(async () => (await import("./playground/playground.tsx")).Playground);
const JobList = load(async () => (await import("./jobs/job-list.tsx")).JobList);
const JobDetail = load(async () => (await import("./jobs/job-detail.tsx")).JobDetail);
const BatchList = load(async () => (await import("./batches/batch-list.tsx")).BatchList);
const BatchDetail = load(async () => (await import("./batches/batch-detail.tsx")).BatchDetail);
const WebhookList = load(async () => (await import("./webhooks/webhook-list.tsx")).WebhookList);
const WebhookDetail = load(async () => (await import("./webhooks/webhook-detail.tsx")).WebhookDetail);
const DeliveryDetail = load(async () => (await import("./webhooks/delivery-detail.tsx")).DeliveryDetail);
const KeyList = load(async () => (await import("./keys/key-list.tsx")).KeyList);
const Usage = load(async () => (await import("./usage/usage.tsx")).Usage);

/** In the order of the navigation. */
export const pages: readonly Page[] = [
  { path: "/", title: "Playground", inNavigation: true, Component: Playground },
  { path: "/jobs", title: "Jobs", inNavigation: true, Component: JobList },
  { path: "/jobs/:id", title: "Job", inNavigation: false, Component: JobDetail },
  { path: "/batches", title: "Batches", inNavigation: true, Component: BatchList },
  { path: "/batches/:id", title: "Batch", inNavigation: false, Component: BatchDetail },
  { path: "/webhooks", title: "Webhooks", inNavigation: true, Component: WebhookList },
  { path: "/webhooks/:id", title: "Webhook", inNavigation: false, Component: WebhookDetail },
  { path: "/webhooks/:id/deliveries/:event", title: "Delivery", inNavigation: false, Component: DeliveryDetail },
  { path: "/keys", title: "Keys", inNavigation: true, Component: KeyList },
  { path: "/usage", title: "Usage", inNavigation: true, Component: Usage },
];
