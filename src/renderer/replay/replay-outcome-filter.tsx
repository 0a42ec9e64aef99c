import { ToggleButton, ToggleButtonGroup } from 'react-aria-components';
import type { ReplayJob, ReplayOutcome } from '../../contract/index.ts';
import { formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { replayOutcomeStyles, replayOutcomes } from './replay-outcomes.ts';
import { countReplayWebhooks } from './replay-summary.ts';

const text = texts.replay;

interface OutcomeFilterProps {
  readonly replay: ReplayJob;
  /** Outcome by which the list of webhooks is filtered, or null for all outcomes. */
  readonly selected: ReplayOutcome | null;
  readonly onSelect: (outcome: ReplayOutcome | null) => void;
}

/** Shows the number of webhooks per outcome as a bar, and as buttons that filter the list. */
export function ReplayOutcomeFilter({ replay, selected, onSelect }: OutcomeFilterProps) {
  const { counts } = replay;
  const total = countReplayWebhooks(replay);
  return (
    <section className="outcomes" aria-label={text.outcomesOf}>
      <div className="outcome-bar" aria-hidden="true">
        {replayOutcomes
          .filter((outcome) => counts[outcome] > 0)
          .map((outcome) => (
            <span
              key={outcome}
              className={`outcome-${outcome}`}
              style={{ flexGrow: counts[outcome] / total }}
            />
          ))}
      </div>
      <ToggleButtonGroup
        className="outcome-choice"
        aria-label={text.showOutcomes}
        selectedKeys={[selected ?? 'all']}
        disallowEmptySelection
        onSelectionChange={(keys) => {
          const [key] = keys;
          onSelect(replayOutcomes.find((outcome) => outcome === key) ?? null);
        }}
      >
        <ToggleButton id="all" className="outcome-count">
          <b>{formatCount(total)}</b>
          <span>{text.allOutcomes}</span>
        </ToggleButton>
        {replayOutcomes.map((outcome) => {
          const [tone, Icon] = replayOutcomeStyles[outcome];
          const count = counts[outcome];
          return (
            <ToggleButton
              key={outcome}
              id={outcome}
              className={`outcome-count${count === 0 ? ' outcome-none' : ''}`}
              aria-label={`${text.outcomes[outcome]}: ${formatCount(count)}. ${text.outcomeHints[outcome]}`}
            >
              <b>{formatCount(count)}</b>
              <span className={count === 0 ? '' : `status-${tone}`} title={text.outcomeHints[outcome]}>
                <Icon size={13} strokeWidth={2.25} aria-hidden="true" />
                {text.outcomes[outcome]}
              </span>
            </ToggleButton>
          );
        })}
      </ToggleButtonGroup>
    </section>
  );
}
