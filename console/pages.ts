/** The console's pages. Each is loaded when it is first opened. */
import { lazyPage } from "./layout/lazy-page.tsx";
import type { Page } from "./router/match-page.ts";

const Playground = lazyPage("Playground", async () => (await import("./playground/playground.tsx")).Playground);
const JobList = lazyPage("JobList", async () => (await import("./jobs/job-list.tsx")).JobList);
const JobDetail = lazyPage("JobDetail", async () => (await import("./jobs/job-detail.tsx")).JobDetail);
const BatchList = lazyPage("BatchList", async () => (await import("./batches/batch-list.tsx")).BatchList);
const BatchDetail = lazyPage("BatchDetail", async () => (await import("./batches/batch-detail.tsx")).BatchDetail);
const WebhookList = lazyPage("WebhookList", async () => (await import("./webhooks/webhook-list.tsx")).WebhookList);
const WebhookDetail = lazyPage(
  "WebhookDetail",
  async () => (await import("./webhooks/webhook-detail.tsx")).WebhookDetail,
);
const DeliveryDetail = lazyPage(
  "DeliveryDetail",
  async () => (await import("./webhooks/delivery-detail.tsx")).DeliveryDetail,
);
const KeyList = lazyPage("KeyList", async () => (await import("./keys/key-list.tsx")).KeyList);
const Usage = lazyPage("Usage", async () => (await import("./usage/usage.tsx")).Usage);

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
