import { Check, CircleAlert, CircleCheck, CirclePause, Info, LoaderCircle } from 'lucide-react';
import type { ReplayJob } from '../../contract/index.ts';
import { Button } from '../controls/button.tsx';
import type { StatusTone } from '../controls/status-label.tsx';
import { openDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { findRampStep, type ReplaySummary, summarizeReplay } from './replay-summary.ts';

const text = texts.replay;

const icons: Record<StatusTone, typeof Info> = {
  accent: LoaderCircle,
  good: CircleCheck,
  bad: CircleAlert,
  warn: CirclePause,
  calm: Info,
};

/** What happens now, in a sentence, beside the steps it goes through. */
export function ReplayStatusCard({ replay }: { readonly replay: ReplayJob }) {
  const standing = summarizeReplay(replay);
  return (
    <section className={`replay-status-card replay-status-${standing.tone}`} aria-label={text.now}>
      <StatusText standing={standing} turning={replay.state === 'running' && standing.tone === 'accent'} />
      {replay.paused_by === 'key' && (
        <Button onPress={() => openDialog({ kind: 'replaceKey', site: replay.site })}>
          {texts.sites.replaceKey}
        </Button>
      )}
      <RampSteps replay={replay} />
    </section>
  );
}

function StatusText({ standing, turning }: { readonly standing: ReplaySummary; readonly turning: boolean }) {
  const Icon = icons[standing.tone];
  return (
    <>
      <Icon size={20} aria-hidden="true" className={turning ? 'replay-status-spinner' : ''} />
      <div className="replay-status-text">
        <h2>{standing.title}</h2>
        <p>{standing.text}</p>
      </div>
    </>
  );
}

function RampSteps({ replay }: { readonly replay: ReplayJob }) {
  const at = findRampStep(replay);
  return (
    <ol className="ramp" aria-label={text.steps.label}>
      {text.steps.names.map((name, place) => {
        const state = place < at ? 'done' : place === at ? 'current' : 'ahead';
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
