import type { Job, JobProgress } from '../../contract/app/jobs.ts';
import { formatDuration, formatMinute, formatNumber } from './format-values.ts';
import { sanitizeLine, truncateText } from './terminal-text.ts';

export type JobProgressState = Pick<Job, 'state' | 'progress' | 'rate' | 'remaining_ms'>;

/** Shows the progress of a job on stderr: a bar on a terminal, otherwise a line every few seconds. */
export interface ProgressDisplay {
  show(job: JobProgressState): void;
  /** Prints a notice on a separate line. */
  notice(text: string): void;
  /** Erases the progress bar, so that the next output starts on an empty line. */
  end(): void;
}

export interface ProgressStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

const LINE_INTERVAL_MS = 3000;
const ERASE_LINE = '\r\u001b[2K';

/** Creates a progress display. A quiet display prints nothing. */
export function createProgressDisplay(
  quiet: boolean,
  target: ProgressStream = process.stderr,
  now: () => number = performance.now.bind(performance),
): ProgressDisplay {
  if (quiet) return { show() {}, notice() {}, end() {} };
  return target.isTTY === true ? createBarDisplay(target) : createLineDisplay(target, now);
}

function createBarDisplay(target: ProgressStream): ProgressDisplay {
  let isShown = false;
  const erase = () => {
    if (isShown) target.write(ERASE_LINE);
    isShown = false;
  };
  return {
    show(job) {
      const width = (target.columns ?? 80) - 1;
      target.write(ERASE_LINE + truncateText(formatProgressBar(job), width));
      isShown = true;
    },
    notice(text) {
      erase();
      target.write(`${sanitizeLine(text)}\n`);
    },
    end: erase,
  };
}

function createLineDisplay(target: ProgressStream, now: () => number): ProgressDisplay {
  let lastAt = Number.NEGATIVE_INFINITY;
  let lastText = '';
  return {
    show(job) {
      const text = formatProgress(job);
      if (now() - lastAt < LINE_INTERVAL_MS || text === lastText || text === '') return;
      lastAt = now();
      lastText = text;
      target.write(`${text}\n`);
    },
    notice(text) {
      target.write(`${sanitizeLine(text)}\n`);
    },
    end() {},
  };
}

const BAR_WIDTH = 20;

/** Formats progress with a bar, for example `████░░░░  webhooks 1,200/20,000  statements 12  340/s  55 s left`. */
export function formatProgressBar(job: JobProgressState): string {
  const { done, total } = sumParts(job.progress);
  const filled =
    total === null || total === 0 ? 0 : Math.min(BAR_WIDTH, Math.floor((done * BAR_WIDTH) / total));
  const bar = total === null ? '' : `${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}`;
  const current = job.progress.findLast((part) => part.current !== null)?.current;
  return [bar, ...job.progress.map(formatPart), ...formatPace(job), current && sanitizeLine(current)]
    .filter(Boolean)
    .join('  ');
}

/** Formats progress without a bar for log files. */
export function formatProgress(job: JobProgressState): string {
  return [...job.progress.map(formatPart), ...formatPace(job)].join(', ');
}

function formatPart({ part, done, total, estimated, failed }: JobProgress): string {
  const of = total === null ? '' : `/${estimated ? '~' : ''}${formatNumber(total)}`;
  return `${part} ${formatNumber(done)}${of}${failed > 0 ? ` (${formatNumber(failed)} failed)` : ''}`;
}

function formatPace(job: JobProgressState): string[] {
  const pace = [];
  if (job.state === 'paused') pace.push('paused');
  const wait = job.progress.find((part) => part.waits)?.waits;
  // A waiting job has no meaningful processing rate.
  if (wait) return [...pace, formatWait(wait)];
  if (job.rate !== null && job.rate >= 1) pace.push(`${formatNumber(job.rate)}/s`);
  if (job.remaining_ms !== null) pace.push(`${formatDuration(job.remaining_ms)} left`);
  return pace;
}

const waitTexts = {
  away: 'service not responding, retrying',
  failing: 'service returning errors, retrying',
  slow: 'waiting for a response from the service',
} as const;

function formatWait({ reason, until }: NonNullable<JobProgress['waits']>): string {
  if (reason === 'limited')
    return `rate-limited by the service${until === null ? '' : ` until ${formatMinute(until)} UTC`}`;
  return waitTexts[reason];
}

function sumParts(parts: readonly JobProgress[]): { done: number; total: number | null } {
  const known = parts.filter((part) => part.total !== null);
  if (known.length === 0) return { done: 0, total: null };
  return {
    done: known.reduce((sum, part) => sum + part.done, 0),
    total: known.reduce((sum, part) => sum + (part.total ?? 0), 0),
  };
}
