import type { ReplayItem, ReplayJob, ReplayOutcome, ReplayPlan } from '../../contract/webhooks/replay.ts';
import { type ExitCode, getSuccessExitCode } from '../errors/exit-codes.ts';
import { formatCount, formatDuration, formatMinute, formatNumber } from '../output/format-values.ts';
import { createCountColumn, formatLabeledValues, type TableColumn } from '../output/table.ts';
import type { TextLines } from '../output/terminal-text.ts';

/** Outcomes of a replayed webhook that require action. */
export const FAILED_REPLAY_OUTCOMES: readonly ReplayOutcome[] = ['failed', 'refused', 'unresolved'];

/** Returns exit code 1 if a replay did not finish or if an outcome requires action. */
export function getReplayExitCode({ state, counts }: ReplayJob): ExitCode {
  const hasFailures = FAILED_REPLAY_OUTCOMES.some((outcome) => (counts[outcome] ?? 0) > 0);
  return getSuccessExitCode(!hasFailures && state === 'done');
}

/** Formats a replay plan with its counts, expected cost and groups. */
export function formatReplayPlan(plan: ReplayPlan): TextLines {
  const { excluded, by_event, by_error, by_day, by_url } = plan;
  return [
    formatLabeledValues([
      ['plan', plan.plan],
      ['selection', plan.description],
      ['endpoint', plan.endpoint],
      ['webhooks', formatNumber(plan.count)],
      ['oldest', plan.oldest_at],
      ['newest', plan.newest_at],
      ['excluded, already accepted', excluded.accepted === 0 ? null : formatNumber(excluded.accepted)],
      ['excluded, not stored locally', excluded.unknown === 0 ? null : formatNumber(excluded.unknown)],
      ['excluded, not form-encoded', excluded.unreadable === 0 ? null : formatNumber(excluded.unreadable)],
      [
        'excluded, signed with another key',
        excluded.unverified === 0 ? null : formatNumber(excluded.unverified),
      ],
      ['still retried by the service', plan.retrying === 0 ? null : formatRetries(plan)],
      ['safe mode', formatCost(plan, 'safe')],
      ['adaptive mode', formatCost(plan, 'adaptive')],
      ['fast mode', formatCost(plan, 'fast')],
      ['at a limited rate', formatRates(plan)],
      ['superseded by later events', plan.superseded === 0 ? null : formatNumber(plan.superseded)],
      ['most webhooks per subscription', formatNumber(plan.largest_subscription)],
      ['ids (SHA-256)', plan.ids_sha256],
    ]),
    formatGroup(
      'by event',
      by_event.map(({ event, count }) => [event, count]),
    ),
    formatGroup(
      'by error',
      by_error.map(({ error, count }) => [error, count]),
    ),
    formatGroup(
      'by day',
      by_day.map(({ day, count }) => [day, count]),
    ),
    formatGroup(
      'by address',
      by_url.map(({ url, count }) => [url, count]),
    ),
  ];
}

const formatRetries = ({ retrying, retrying_until }: ReplayPlan): string =>
  `${formatNumber(retrying)}; not sent before ${formatMinute(retrying_until)} UTC`;

/** Formats the expected requests and the expected duration of a replay mode. */
function formatCost({ expected, count }: ReplayPlan, mode: 'safe' | 'adaptive' | 'fast'): string | null {
  if (expected === null || count === 0) return null;
  const { requests, ms, at_once, per_second } = expected[mode];
  const load = `endpoint: up to ${formatNumber(at_once)} at once, ${per_second} per second`;
  return `about ${formatCount(requests, 'request')}, ${formatDuration(ms)}; ${load}`;
}

/** Formats the duration for each rate limit. Limits above the expected rate have no effect and are omitted. */
function formatRates({ rates, count }: ReplayPlan): string | null {
  const fastest = rates.at(-1)?.ms ?? 0;
  const limiting = rates.filter(({ ms }, index) => ms > fastest || index === rates.length - 1);
  if (count === 0) return null;
  return limiting.map(({ per_second, ms }) => `${per_second}/s: ${formatDuration(ms)}`).join(', ');
}

function formatGroup(title: string, entries: readonly (readonly [string, number])[]): TextLines {
  const lines = formatLabeledValues(entries.map(([name, count]) => [`  ${name}`, formatNumber(count)]));
  return lines.length === 0 ? [] : ['', title, lines];
}

export function formatReplay(job: ReplayJob): string[] {
  const outcomes = Object.entries(job.counts).filter(([, number]) => number > 0);
  return formatLabeledValues([
    ['replay', job.job],
    ['selection', job.description],
    ['endpoint', job.endpoint],
    ['state', job.reason === null ? job.state : `${job.state}: ${job.reason}`],
    ['mode', formatMode(job)],
    ['step', job.state === 'running' || job.state === 'paused' ? job.step : null],
    ['started', job.started_at],
    ['ended', job.ended_at],
    ...outcomes.map(([outcome, number]) => [outcome, formatCount(number, 'webhook')] as const),
    ['requests', `${formatNumber(job.requests.total)} (minimum: ${formatNumber(job.requests.minimum)})`],
  ]);
}

function formatMode({ mode, batch_size, rate, ordered, connections }: ReplayJob): string {
  const limit =
    connections === null
      ? `up to ${formatNumber(batch_size)} per request`
      : `up to ${formatCount(connections, 'request')} at once`;
  const parts = [mode, limit];
  if (rate !== null) parts.push(`up to ${rate} per second`);
  if (ordered) parts.push('in order per subscription');
  return parts.join(', ');
}

export const replayColumns: TableColumn<ReplayJob>[] = [
  { header: 'replay', cell: ({ job }) => job },
  { header: 'state', cell: ({ state }) => state },
  { header: 'started (UTC)', cell: ({ started_at }) => formatMinute(started_at) },
  createCountColumn('accepted', ({ counts }) => counts.accepted ?? 0),
  createCountColumn('not accepted', ({ counts }) =>
    FAILED_REPLAY_OUTCOMES.reduce((sum, outcome) => sum + (counts[outcome] ?? 0), 0),
  ),
  { header: 'selection', cell: ({ description }) => description, minWidth: 16 },
];

export const replayItemColumns: TableColumn<ReplayItem>[] = [
  { header: 'webhook', cell: ({ id }) => id, align: 'right' },
  { header: 'event', cell: ({ event }) => event, minWidth: 16 },
  { header: 'outcome', cell: ({ outcome }) => outcome },
  { header: 'sent', cell: ({ sent_at }) => formatMinute(sent_at) },
  { header: 'error', cell: ({ last_error }) => last_error, minWidth: 12 },
];
