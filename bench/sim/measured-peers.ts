/** What bench/peers measured of Packshot with the bundled weights on two cores: the inputs of one-machine.ts, and what it is held to. */

const about = "`bench/peers` on 2 × AMD EPYC, 2026-11-27 (2026-11-27/peers.md), one worker with two slots";

/** Processor times are those with 16 clients. */
export const measuredPhotos = [
  {
    title: "plain, 1 MP",
    about: `plain: ${about}; a photo takes 196 ms of the worker and 56 of the model server`,
    megapixels: 1,
    workerMs: 196,
    modelServerMs: 56,
    passes: 1,
    steps: [
      { cores: 2, clients: 1, perSecond: 4.07, p50Ms: 244 },
      { cores: 2, clients: 4, perSecond: 6.3, p50Ms: 616 },
      { cores: 2, clients: 16, perSecond: 6.37, p50Ms: 2353 },
    ],
  },
  {
    title: "busy scenes",
    about: `busy: the same run, four photos of 1.0 to 1.4 MP; 222 ms of the worker and 100 of the model server for two images, of which one photo of four needs only one`,
    megapixels: 1.2,
    workerMs: 222,
    modelServerMs: 100,
    passes: 2,
    steps: [
      { cores: 2, clients: 1, perSecond: 2.88, p50Ms: 320 },
      { cores: 2, clients: 4, perSecond: 4.71, p50Ms: 816 },
      { cores: 2, clients: 16, perSecond: 5.2, p50Ms: 2814 },
    ],
  },
] as const;
