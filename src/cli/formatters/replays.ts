import type { ReplayItem, ReplayJob, ReplayOutcome, ReplayPlan } from '../../contract/webhooks/replay.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { formatCount, formatDuration, formatMinute, formatNumber } from '../output/format-values.ts';
import { formatLabeledValues, type TableColumn } from '../output/table.ts';

/** Outcomes of a webhook in a replay that require action. */
export const failedReplayOutcomes: readonly ReplayOutcome[] = ['failed', 'refused', 'unresolved'];

/** Returns exit code 1 if a replay did not finish or if an outcome requires action. */
export function toReplayExitCode({ state, counts }: ReplayJob): ExitCode {
  const hasFailures = failedReplayOutcomes.some((outcome) => (counts[outcome] ?? 0) > 0);
  return hasFailures || state !== 'done' ? exitCodes.findings : exitCodes.success;
}

/** Formats a replay plan with its counts, expected cost and groups. */
export function formatReplayPlan(plan: ReplayPlan): string[] {
  const { excluded, by_event, by_error, by_day, by_url } = plan;
  return [
    ...formatLabeledValues([
      ['plan', plan.plan],
      ['selection', plan.description],
      ['webhooks', formatNumber(plan.count)],
      ['oldest', plan.oldest_at],
      ['newest', plan.newest_at],
      ['excluded, already accepted', excluded.accepted === 0 ? null : formatNumber(excluded.accepted)],
      ['excluded, not stored locally', excluded.unknown === 0 ? null : formatNumber(excluded.unknown)],
      [
        'still retried by the service',
        plan.retrying === 0
          ? null
          : `${formatNumber(plan.retrying)}; not sent before ${formatMinute(plan.retrying_until)} UTC`,
      ],
      ...(['safe', 'adaptive', 'fast'] as const).map(
        (mode) => [`${mode} mode`, formatCost(plan, mode)] as const,
      ),
      ['ids (SHA-256)', plan.ids_sha256],
    ]),
    ...formatGroup(
      'by event',
      by_event.map(({ event, count: number }) => [event, number]),
    ),
    ...formatGroup(
      'by error',
      by_error.map(({ error, count: number }) => [error, number]),
    ),
    ...formatGroup(
      'by day',
      by_day.map(({ day, count: number }) => [day, number]),
    ),
    ...formatGroup(
      'by address',
      by_url.map(({ url, count: number }) => [url, number]),
    ),
  ];
}

/** Formats the expected number of requests and the duration of a replay mode. */
function formatCost(
  { expected, count: number }: ReplayPlan,
  mode: 'safe' | 'adaptive' | 'fast',
): string | null {
  if (expected === null || number === 0) return null;
  const { requests, ms } = expected[mode];
  return `about ${formatCount(requests, 'request')}, ${formatDuration(ms)}`;
}

function formatGroup(title: string, entries: readonly (readonly [string, number])[]): string[] {
  if (entries.length === 0) return [];
  return [
    '',
    title,
    ...formatLabeledValues(entries.map(([name, number]) => [`  ${name}`, formatNumber(number)])),
  ];
}

/** Formats a replay with its state, mode and outcomes. */
export function formatReplay(job: ReplayJob): string[] {
  const outcomes = Object.entries(job.counts).filter(([, number]) => number > 0);
  return formatLabeledValues([
    ['replay', job.job],
    ['selection', job.description],
    ['state', job.reason === null ? job.state : `${job.state}: ${job.reason}`],
    ['mode', formatMode(job)],
    ['step', job.state === 'running' || job.state === 'paused' ? job.step : null],
    ['started', job.started_at],
    ['ended', job.ended_at],
    ...outcomes.map(([outcome, number]) => [outcome, formatCount(number, 'webhook')] as const),
    ['requests', `${formatNumber(job.requests.total)} (minimum: ${formatNumber(job.requests.minimum)})`],
  ]);
}

function formatMode({ mode, batch_size, rate, ordered }: ReplayJob): string {
  const parts = [mode, `up to ${formatNumber(batch_size)} per request`];
  if (rate !== null) parts.push(`up to ${rate} per second`);
  if (ordered) parts.push('in order per subscription');
  return parts.join(', ');
}

export const replayColumns: TableColumn<ReplayJob>[] = [
  { header: 'replay', cell: ({ job }) => job },
  { header: 'state', cell: ({ state }) => state },
  { header: 'started (UTC)', cell: ({ started_at }) => formatMinute(started_at) },
  { header: 'accepted', cell: ({ counts }) => formatNumber(counts.accepted ?? 0), align: 'right' },
  {
    header: 'not accepted',
    cell: ({ counts }) =>
      formatNumber(failedReplayOutcomes.reduce((sum, outcome) => sum + (counts[outcome] ?? 0), 0)),
    align: 'right',
  },
  { header: 'selection', cell: ({ description }) => description, minWidth: 16 },
];

export const replayItemColumns: TableColumn<ReplayItem>[] = [
  { header: 'webhook', cell: ({ id }) => id, align: 'right' },
  { header: 'event', cell: ({ event }) => event, minWidth: 16 },
  { header: 'outcome', cell: ({ outcome }) => outcome },
  { header: 'sent', cell: ({ sent_at }) => formatMinute(sent_at) },
  { header: 'error', cell: ({ last_error }) => last_error, minWidth: 12 },
];
