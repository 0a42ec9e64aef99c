import type { ReplayItem, ReplayJob, ReplayOutcome, ReplayPlan } from '../../contract/replay.ts';
import { type Exit, exit } from '../exit.ts';
import { count, counted, minute, span } from '../output/figures.ts';
import { type Column, pairLines } from '../output/table.ts';

/** The outcomes that want doing something about. */
export const wrong: readonly ReplayOutcome[] = ['failed', 'refused', 'unresolved'];

/** The exit code of a replay: something was found where it did not come to its end, or an outcome wants looking at. */
export function verdict({ state, counts }: ReplayJob): Exit {
  const bad = wrong.some((outcome) => (counts[outcome] ?? 0) > 0);
  return bad || state !== 'done' ? exit.found : exit.done;
}

/** A plan for reading. */
export function planLines(plan: ReplayPlan): string[] {
  const { left_out, by_event, by_error, by_day, by_url } = plan;
  return [
    ...pairLines([
      ['plan', plan.plan],
      ['selection', plan.description],
      ['webhooks', count(plan.count)],
      ['oldest', plan.oldest_at],
      ['newest', plan.newest_at],
      ['left out, accepted already', left_out.accepted === 0 ? null : count(left_out.accepted)],
      ['left out, not held here', left_out.unknown === 0 ? null : count(left_out.unknown)],
      [
        'still being retried',
        plan.retrying === 0
          ? null
          : `${count(plan.retrying)}, by the service itself; they wait until ${minute(plan.retrying_until)} UTC`,
      ],
      ...(['safe', 'adaptive', 'fast'] as const).map((mode) => [`${mode} mode`, costOf(plan, mode)] as const),
      ['ids (SHA-256)', plan.ids_sha256],
    ]),
    ...group(
      'by event',
      by_event.map(({ event, count: number }) => [event, number]),
    ),
    ...group(
      'by error',
      by_error.map(({ error, count: number }) => [error, number]),
    ),
    ...group(
      'by day',
      by_day.map(({ day, count: number }) => [day, number]),
    ),
    ...group(
      'by address',
      by_url.map(({ url, count: number }) => [url, number]),
    ),
  ];
}

/** What a mode will about cost. */
function costOf({ expected, count: number }: ReplayPlan, mode: 'safe' | 'adaptive' | 'fast'): string | null {
  if (expected === null || number === 0) return null;
  const { requests, ms } = expected[mode];
  return `about ${counted(requests, 'request')}, ${span(ms)}`;
}

function group(title: string, entries: readonly (readonly [string, number])[]): string[] {
  if (entries.length === 0) return [];
  return ['', title, ...pairLines(entries.map(([name, number]) => [`  ${name}`, count(number)]))];
}

/** A replay for reading. */
export function jobLines(job: ReplayJob): string[] {
  const outcomes = Object.entries(job.counts).filter(([, number]) => number > 0);
  return pairLines([
    ['replay', job.job],
    ['selection', job.description],
    ['state', job.reason === null ? job.state : `${job.state}: ${job.reason}`],
    ['mode', howOf(job)],
    ['step', job.state === 'running' || job.state === 'paused' ? job.step : null],
    ['started', job.started_at],
    ['ended', job.ended_at],
    ...outcomes.map(([outcome, number]) => [outcome, counted(number, 'webhook')] as const),
    ['requests', `${count(job.requests.total)} (at least ${count(job.requests.minimum)} were needed)`],
  ]);
}

function howOf({ mode, batch_size, rate, ordered }: ReplayJob): string {
  const parts = [mode, `${count(batch_size)} a request at most`];
  if (rate !== null) parts.push(`${rate} a second at most`);
  if (ordered) parts.push('in order within a subscription');
  return parts.join(', ');
}

export const jobColumns: Column<ReplayJob>[] = [
  { header: 'replay', cell: ({ job }) => job },
  { header: 'state', cell: ({ state }) => state },
  { header: 'started (UTC)', cell: ({ started_at }) => minute(started_at) },
  { header: 'accepted', cell: ({ counts }) => count(counts.accepted ?? 0), align: 'right' },
  {
    header: 'not accepted',
    cell: ({ counts }) => count(wrong.reduce((sum, outcome) => sum + (counts[outcome] ?? 0), 0)),
    align: 'right',
  },
  { header: 'selection', cell: ({ description }) => description, least: 16 },
];

export const itemColumns: Column<ReplayItem>[] = [
  { header: 'webhook', cell: ({ id }) => id, align: 'right' },
  { header: 'event', cell: ({ event }) => event, least: 16 },
  { header: 'outcome', cell: ({ outcome }) => outcome },
  { header: 'sent', cell: ({ sent_at }) => minute(sent_at) },
  { header: 'error', cell: ({ last_error }) => last_error, least: 12 },
];
