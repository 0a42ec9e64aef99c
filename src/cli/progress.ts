import type { Job, Progress } from '../contract/jobs.ts';
import { count, minute, span } from './output/figures.ts';
import { cut, printable } from './output/text.ts';

/** What is shown of a job. */
type Shown = Pick<Job, 'state' | 'progress' | 'rate' | 'remaining_ms'>;

/** How far a job is, on stderr: a bar on a terminal, a line every few seconds elsewhere, nothing when quiet. */
export interface ProgressDisplay {
  show(job: Shown): void;
  /** A remark on a line of its own. */
  say(text: string): void;
  /** Takes the bar away, so that what follows starts on a clean line. */
  end(): void;
}

export interface ProgressTarget {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

const pause = 3000;
const eraseLine = '\r\u001b[2K';

export function createProgress(
  quiet: boolean,
  target: ProgressTarget = process.stderr,
  now: () => number = performance.now.bind(performance),
): ProgressDisplay {
  if (quiet) return { show() {}, say() {}, end() {} };
  return target.isTTY === true ? bar(target) : lines(target, now);
}

function bar(target: ProgressTarget): ProgressDisplay {
  let shown = false;
  const erase = () => {
    if (shown) target.write(eraseLine);
    shown = false;
  };
  return {
    show(job) {
      const width = (target.columns ?? 80) - 1;
      target.write(eraseLine + cut(barText(job), width));
      shown = true;
    },
    say(text) {
      erase();
      target.write(`${printable(text)}\n`);
    },
    end: erase,
  };
}

function lines(target: ProgressTarget, now: () => number): ProgressDisplay {
  let last = Number.NEGATIVE_INFINITY;
  let lastText = '';
  return {
    show(job) {
      const text = lineText(job);
      if (now() - last < pause || text === lastText || text === '') return;
      last = now();
      lastText = text;
      target.write(`${text}\n`);
    },
    say(text) {
      target.write(`${printable(text)}\n`);
    },
    end() {},
  };
}

const share = 20;

/** `webhooks ████░░░░ 1,200/20,000 · statements 12 · 340/s · 55 s left`. */
export function barText(job: Shown): string {
  const { done, total } = wholeOf(job.progress);
  const filled = total === null || total === 0 ? 0 : Math.min(share, Math.floor((done * share) / total));
  const gauge = total === null ? '' : `${'█'.repeat(filled)}${'░'.repeat(share - filled)}`;
  const current = job.progress.findLast((part) => part.current !== null)?.current;
  return [gauge, ...job.progress.map(partText), ...paceOf(job), current && printable(current)]
    .filter(Boolean)
    .join('  ');
}

/** The same as a sentence for a log file. */
export function lineText(job: Shown): string {
  return [...job.progress.map(partText), ...paceOf(job)].join(', ');
}

function partText({ part, done, total, estimated, failed }: Progress): string {
  const of = total === null ? '' : `/${estimated ? '~' : ''}${count(total)}`;
  return `${part} ${count(done)}${of}${failed > 0 ? ` (${count(failed)} failed)` : ''}`;
}

function paceOf(job: Shown): string[] {
  const pace = [];
  if (job.state === 'paused') pace.push('paused');
  const waits = job.progress.find((part) => part.waits)?.waits;
  // What stands still has no pace.
  if (waits) return [...pace, waitsText(waits)];
  if (job.rate !== null && job.rate >= 1) pace.push(`${count(job.rate)}/s`);
  if (job.remaining_ms !== null) pace.push(`${span(job.remaining_ms)} left`);
  return pace;
}

function waitsText({ why, until }: NonNullable<Progress['waits']>): string {
  if (why === 'limited')
    return `the service asks to wait${until === null ? '' : ` until ${minute(until)} UTC`}`;
  return why === 'away'
    ? 'the service does not answer, it is tried again'
    : 'the service answers with errors, it is tried again';
}

function wholeOf(parts: readonly Progress[]): { done: number; total: number | null } {
  const known = parts.filter((part) => part.total !== null);
  if (known.length === 0) return { done: 0, total: null };
  return {
    done: known.reduce((sum, part) => sum + part.done, 0),
    total: known.reduce((sum, part) => sum + (part.total ?? 0), 0),
  };
}
