import type { Outage } from '../../contract/index.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { formatDuration } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { OutageKindLabel } from './outage-kind.tsx';
import { describeOutage, outageRange } from './outage-ranges.ts';
import { useOutageScreenState } from './outage-selection.ts';

const text = texts.outages;

interface SelectionSummaryProps {
  readonly picked: Outage | null;
  /** The time looked at, and what was in it, in words. */
  readonly when: string;
  readonly counts: string;
}

/** What is looked at on the timeline, and what can be done about it. Always as high, so that nothing below it moves. */
export function SelectionSummary({ picked, when, counts }: SelectionSummaryProps) {
  // Its buttons can be pressed or not by what is in front.
  useOutageScreenState();
  const told = picked ? describeOutage(picked) : counts;
  return (
    <section className="readout" aria-label={text.lookedAt}>
      <div aria-live="polite">
        <p>
          {picked && <OutageKindLabel kind={picked.kind} />}
          <strong>{when}</strong>
          {picked && (
            <span className="fineprint">
              {picked.ongoing ? text.ongoing : formatDuration(durationMs(picked))}
            </span>
          )}
        </p>
        <p className="readout-counts" title={told}>
          {told}
        </p>
      </div>
      <CommandButton id="outages.zoom" kind="quiet" />
      <CommandButton id="outages.whole" kind="quiet" />
      <CommandButton id="outages.show" />
      <CommandButton id="outages.plan" kind="primary" />
    </section>
  );
}

function durationMs(outage: Outage): number {
  const { from, to } = outageRange(outage);
  return to - from;
}
