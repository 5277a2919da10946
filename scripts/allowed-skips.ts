/** The tests that CI may skip, by "file > name", and why: anything else that is skipped there fails the run. */
export const allowedSkips: readonly { readonly test: RegExp; readonly why: string }[] = [
  { test: /\bGPU\b/, why: "needs a CUDA device; the gate's machine has none" },
  {
    test: /^training\/.*PACKSHOT_TRAINING_PYTHON/,
    why: "training is never needed to run the product; its smoke test wants PyTorch",
  },
];
