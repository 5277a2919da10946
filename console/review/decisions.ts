/** Approves and rejects. A row of a batch whose job has expired is named by its place in the batch. */
import type { ReviewedJob } from "@packshot/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { formatCredits } from "../components/format.ts";
import { useToast } from "../components/toast.tsx";
import { readAccountAgain } from "../session/read.ts";
import { useApi } from "../session/session.tsx";
import type { QueueItem } from "./review-queue.ts";

export type Verdict = ReviewedJob["review"]["verdict"];

interface DecisionInput {
  readonly item: QueueItem;
  readonly verdict: Verdict;
}

export type Decision = ReturnType<typeof useDecision>;

export function useDecision({ onDecided }: { readonly onDecided: (item: QueueItem, verdict: Verdict) => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: ({ item: { jobId, batch }, verdict }: DecisionInput) =>
      api.packshot.jobs[verdict === "approved" ? "approve" : "reject"](jobId, { batch }),
    onSuccess({ review: { creditsRefunded } }, { item, verdict }) {
      const refund = creditsRefunded > 0 ? `, ${formatCredits(creditsRefunded)} refunded` : "";
      toast(`${item.name} was ${verdict}${refund}`);
      if (creditsRefunded > 0) readAccountAgain(queries);
      onDecided(item, verdict);
    },
  });
}
