/** A week in short: how long its days are, and the times of a deployment that are divided by the same scale. */
export interface WeekPlan {
  /** So many seconds of a week pass in one. */
  readonly scale: number;
  readonly daySeconds: number;
  /** How long ended jobs and their files are kept: an hour in short. */
  readonly retentionSeconds: number;
  /** How long an outage of an hour lasts. */
  readonly outageSeconds: number;
  /** No record and no message lives shorter because of the scale. */
  readonly lifeSecondsMin: number;
}

export const weekDays = 7;
/** Points of every measured quantity in a day. */
export const quarters = 4;
const daySecondsReal = 86_400;
const hourSeconds = 3_600;
/** Processes must have the time to notice an outage: an hour is never shorter. */
const outageSecondsMin = 3;

/** `retentionSecondsMin`: clients must have the time to fetch their results. */
export function planWeek(
  minutes: number,
  { retentionSecondsMin, lifeSecondsMin }: { readonly retentionSecondsMin: number; readonly lifeSecondsMin: number },
): WeekPlan {
  const daySeconds = (minutes * 60) / weekDays;
  const scale = daySecondsReal / daySeconds;
  return {
    scale,
    daySeconds,
    retentionSeconds: Math.max(retentionSecondsMin, Math.round(hourSeconds / scale)),
    outageSeconds: Math.max(outageSecondsMin, Math.round(hourSeconds / scale)),
    lifeSecondsMin,
  };
}
