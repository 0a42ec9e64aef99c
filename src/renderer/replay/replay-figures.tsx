import type { ReactNode } from 'react';
import type { LiveReplayStatus, ReplayJob } from '../../contract/index.ts';
import { DateTime, useCurrentTime } from '../controls/formatted-values.tsx';
import { parseDateTime } from '../texts/date-times.ts';
import { formatCount, formatDuration } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';

const text = texts.replay.figures;

/** Shows the current rate, unresolved webhooks, and endpoint state of a replay, or its duration after its end. */
export function ReplayFigures({ replay }: { readonly replay: ReplayJob }) {
  const { live, requests } = replay;
  return (
    <dl className="replay-figures" aria-label={text.label}>
      {live ? <LiveFigures replay={replay} live={live} /> : <EndedFigures replay={replay} />}
      <Figure title={text.requests} note={text.minimum(requests.minimum)}>
        {formatCount(requests.total)}
      </Figure>
      <Figure title={text.mode} note={replay.ordered ? texts.replay.orderKept : null}>
        {texts.replay.modes[replay.mode].label}
      </Figure>
    </dl>
  );
}

function LiveFigures({ replay, live }: { readonly replay: ReplayJob; readonly live: LiveReplayStatus }) {
  const now = useCurrentTime(1_000);
  const { breaker } = live;
  const open = breaker.state === 'open';
  return (
    <>
      <Figure
        title={text.rate}
        note={live.next_send_at === null ? null : text.sendsAgain(formatTimeUntil(live.next_send_at, now))}
      >
        {text.rateOf(live.per_second, replay.rate)}
      </Figure>
      <Figure
        title={text.window}
        note={
          live.next_poll_at === null
            ? text.nothingInFlight
            : text.nextRead(formatTimeUntil(live.next_poll_at, now))
        }
        share={live.window === 0 ? 0 : live.unresolved / live.window}
      >
        {text.windowOf(live.unresolved, live.window)}
      </Figure>
      <Figure title={text.left}>{text.leftText(live.remaining_ms)}</Figure>
      <Figure
        title={text.breaker}
        bad={open}
        note={
          open && breaker.next_probe_at !== null
            ? text.probe(formatTimeUntil(breaker.next_probe_at, now))
            : text.recentOutcomes(breaker.accepted, breaker.accepted + breaker.failed)
        }
      >
        {open ? text.open : breaker.accepted + breaker.failed === 0 ? text.unknown : text.closed}
      </Figure>
    </>
  );
}

function EndedFigures({ replay }: { readonly replay: ReplayJob }) {
  const { started_at, ended_at } = replay;
  return (
    <>
      <Figure title={text.started}>
        <DateTime at={started_at} precision="second" />
      </Figure>
      <Figure title={text.ended}>
        <DateTime at={ended_at} precision="second" />
      </Figure>
      <Figure title={text.took}>{formatReplayDuration(replay)}</Figure>
    </>
  );
}

interface FigureProps {
  readonly title: string;
  readonly note?: string | null;
  readonly bad?: boolean;
  /** Fraction from 0 to 1, shown as a bar below the figure. */
  readonly share?: number;
  readonly children: ReactNode;
}

function Figure({ title, note = null, bad = false, share, children }: FigureProps) {
  return (
    <div className="replay-figure">
      <dt>{title}</dt>
      <dd className={bad ? 'status-warn' : ''}>
        {children}
        {share !== undefined && (
          <span className="figure-share" aria-hidden="true">
            <span style={{ width: `${Math.min(100, share * 100)}%` }} />
          </span>
        )}
      </dd>
      <dd className="figure-note">{note ?? '\u00a0'}</dd>
    </div>
  );
}

/** Formats the time between the start and end of a replay. */
export function formatReplayDuration({ started_at, ended_at }: ReplayJob): string {
  const [from, to] = [parseDateTime(started_at), ended_at === null ? null : parseDateTime(ended_at)];
  return from === null || to === null ? '–' : formatDuration(Math.max(0, to - from));
}

function formatTimeUntil(at: string, now: number): string {
  const left = (parseDateTime(at) ?? now) - now;
  return left < 1000 ? text.soon : text.inTime(left);
}
