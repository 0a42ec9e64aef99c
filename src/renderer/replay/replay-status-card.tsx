import { Check, CircleAlert, CircleCheck, CirclePause, Info, LoaderCircle } from 'lucide-react';
import type { ReplayJob } from '../../contract/index.ts';
import { Button } from '../controls/button.tsx';
import type { StatusTone } from '../controls/status-label.tsx';
import { openDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { getReplayStepNumber, type ReplaySummary, summarizeReplay } from './replay-summary.ts';

const text = texts.replay;

const icons: Record<StatusTone, typeof Info> = {
  accent: LoaderCircle,
  good: CircleCheck,
  bad: CircleAlert,
  warn: CirclePause,
  calm: Info,
};

/** Card that shows the current status of a replay and the steps of its ramp. */
export function ReplayStatusCard({ replay }: { readonly replay: ReplayJob }) {
  const summary = summarizeReplay(replay);
  return (
    <section className={`replay-status-card replay-status-${summary.tone}`} aria-label={text.currentStatus}>
      <StatusText summary={summary} isSpinning={replay.state === 'running' && summary.tone === 'accent'} />
      {replay.paused_by === 'key' && (
        <Button onPress={() => openDialog({ kind: 'replaceKey', site: replay.site })}>
          {texts.sites.replaceKey}
        </Button>
      )}
      <RampSteps replay={replay} />
    </section>
  );
}

function StatusText({
  summary,
  isSpinning,
}: {
  readonly summary: ReplaySummary;
  readonly isSpinning: boolean;
}) {
  const Icon = icons[summary.tone];
  return (
    <>
      <Icon size={20} aria-hidden="true" className={isSpinning ? 'replay-status-spinner' : ''} />
      <div className="replay-status-text">
        <h2>{summary.title}</h2>
        <p>{summary.text}</p>
      </div>
    </>
  );
}

function RampSteps({ replay }: { readonly replay: ReplayJob }) {
  const currentStep = getReplayStepNumber(replay);
  return (
    <ol className="ramp" aria-label={text.steps.label}>
      {text.steps.names.map((name, index) => {
        const state = index < currentStep ? 'done' : index === currentStep ? 'current' : 'upcoming';
        return (
          <li
            key={name}
            className={`ramp-${state}`}
            {...(state === 'current' ? { 'aria-current': 'step' } : {})}
          >
            <span className="ramp-dot" aria-hidden="true">
              {state === 'done' && <Check size={10} strokeWidth={3.5} />}
            </span>
            <span>
              {name}
              <span className="visually-hidden">, {text.steps[state]}</span>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
