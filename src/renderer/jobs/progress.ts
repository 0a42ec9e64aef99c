import type { Job, Progress } from '../../contract/index.ts';
import { momentText } from '../words/moments.ts';
import { durationText, rateText } from '../words/numbers.ts';
import { words } from '../words/words.ts';

/** The whole of a job's progress: parts summed, with no total where one part's cannot be known. */
export function overall(job: Job): {
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

/** What a job waits for, where nothing comes just now. */
export function waitsOf({ progress }: Job): Progress['waits'] {
  return progress.find(({ waits }) => waits)?.waits ?? null;
}

/** `1,204/s · about 12 s left`, as far as it is known; or what it waits for. */
export function paceText(job: Job): string {
  const waits = waitsOf(job);
  if (waits) {
    const { limited, away, failing } = words.jobs.waits;
    if (waits.why === 'limited') return limited(waits.until === null ? null : momentText(waits.until));
    return waits.why === 'away' ? away : failing;
  }
  return [
    job.rate === null ? null : rateText(job.rate),
    job.remaining_ms === null ? null : words.jobs.remaining(durationText(job.remaining_ms)),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Whether a job still goes on; a paused one does. */
export function isUnderWay(job: Job): boolean {
  return job.state === 'running' || job.state === 'paused';
}
