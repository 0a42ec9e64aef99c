import type { ReplayJob } from '../../contract/index.ts';
import type { StatusTone } from '../controls/status-label.tsx';
import { texts } from '../texts/texts.ts';
import { countFailedWebhooks } from './replay-outcomes.ts';

const text = texts.replay.status;

/** Current status of a replay, as a title and a sentence. */
export interface ReplaySummary {
  readonly tone: StatusTone;
  readonly title: string;
  readonly text: string;
}

export function summarizeReplay(replay: ReplayJob): ReplaySummary {
  switch (replay.state) {
    case 'running':
      return summarizeRunning(replay);
    case 'paused':
      return summarizePaused(replay);
    case 'done':
      return summarizeDone(replay);
    case 'stopped':
      return { tone: 'bad', title: text.stoppedTitle, text: joinSentences(replay.reason, text.stopped) };
    case 'canceled':
      return {
        tone: 'calm',
        title: text.canceledTitle,
        text: joinSentences(text.canceled(replay.counts.waiting), replay.reason),
      };
    case 'interrupted':
      return {
        tone: 'warn',
        title: text.interruptedTitle,
        text: replay.endpoint === null ? text.interrupted : text.local.interrupted,
      };
  }
}

function summarizeRunning(replay: ReplayJob): ReplaySummary {
  const { step, counts, in_flight, live, mode, reason, endpoint } = replay;
  const isLocal = endpoint !== null;
  if (reason !== null) return { tone: 'warn', title: text.troubleTitle, text: reason };
  if (counts.waiting === 0 && in_flight > 0)
    return { tone: 'accent', title: text.lastTitle, text: (isLocal ? text.local : text).last(in_flight) };
  if (step === 'canary') {
    const hasStarted = in_flight > 0 || countSent(replay) > 0;
    const begun = isLocal ? text.local.canary : text.canary;
    return { tone: 'accent', title: text.canaryTitle, text: hasStarted ? begun : text.beginning };
  }
  if (step !== 'full') return { tone: 'accent', title: text.stepTitle(step), text: text.step };
  return {
    tone: 'accent',
    title: text.fullTitle(live?.window ?? 24),
    text: isLocal ? text.local.full : text.full[mode],
  };
}

function summarizePaused({ paused_by, reason, in_flight, live, endpoint }: ReplayJob): ReplaySummary {
  switch (paused_by) {
    case 'breaker': {
      const { probes, max_probes: most } = live?.breaker ?? { probes: 0, max_probes: 3 };
      return { tone: 'warn', title: text.breakerTitle, text: text.breaker(Math.min(most, probes + 1), most) };
    }
    case 'key':
      return { tone: 'bad', title: text.keyTitle, text: reason ?? '' };
    case 'refusals':
      return { tone: 'bad', title: text.refusalsTitle, text: reason ?? '' };
    case 'user':
    case null:
      return {
        tone: 'warn',
        title: text.pausedTitle,
        text: endpoint === null ? text.paused(in_flight) : text.local.paused,
      };
  }
}

function summarizeDone(replay: ReplayJob): ReplaySummary {
  const failed = countFailedWebhooks(replay);
  const total = countReplayWebhooks(replay);
  if (failed > 0) return { tone: 'bad', title: text.failuresTitle(failed, total), text: text.failures };
  const { done, doneOne } = replay.endpoint === null ? text : text.local;
  return { tone: 'good', title: text.doneTitle, text: total === 1 ? doneOne : done(total) };
}

/** Returns the replay's step: 0 for the canary, 3 for full batches, 4 for the last outcomes, 5 when complete. */
export function getReplayStepNumber({ state, step, counts, in_flight }: ReplayJob): number {
  if (state === 'done') return 5;
  if (counts.waiting === 0 && counts.sending === 0 && in_flight > 0) return 4;
  const stepIndex = ['canary', '5', '24', 'full'].indexOf(step);
  return stepIndex < 0 ? 3 : stepIndex;
}

export function countReplayWebhooks({ counts }: ReplayJob): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function countSent(replay: ReplayJob): number {
  return countReplayWebhooks(replay) - replay.counts.waiting;
}

function joinSentences(...parts: readonly (string | null)[]): string {
  return parts.filter(Boolean).join(' ');
}
