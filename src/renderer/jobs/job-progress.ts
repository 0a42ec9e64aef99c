import type { Job, JobProgress } from '../../contract/index.ts';
import { formatDateTime } from '../texts/date-times.ts';
import { formatDuration, formatRate } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';

/** Returns the combined progress of all parts of a job. The total is null if the total of any part is unknown. */
export function getTotalJobProgress(job: Job): {
  readonly done: number;
  readonly total: number | null;
  readonly failed: number;
  readonly estimated: boolean;
} {
  let done = 0;
  let total: number | null = 0;
  let failed = 0;
  for (const part of job.progress) {
    done += part.done;
    failed += part.failed;
    total = total === null || part.total === null ? null : total + part.total;
  }
  const estimated = job.progress.some((part) => part.estimated === true);
  return { done, total: job.progress.length === 0 ? null : total, failed, estimated };
}

/** Returns the reason why a job is waiting, or null if the job is not waiting. */
export function getJobWaitReason({ progress }: Job): JobProgress['waits'] {
  return progress.find(({ waits }) => waits)?.waits ?? null;
}

/** Formats a job's rate and remaining time, for example `1,204/s · about 12 s left`, or why it waits. */
export function formatJobRate(job: Job): string {
  const waits = getJobWaitReason(job);
  if (waits) {
    const { reason, until } = waits;
    if (reason === 'limited') return texts.jobs.waits.limited(until === null ? null : formatDateTime(until));
    return texts.jobs.waits[reason];
  }
  return [
    job.rate === null ? null : formatRate(job.rate),
    job.remaining_ms === null ? null : texts.jobs.remaining(formatDuration(job.remaining_ms)),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Returns true if a job is running or paused. */
export function isActiveJob(job: Job): boolean {
  return job.state === 'running' || job.state === 'paused';
}
