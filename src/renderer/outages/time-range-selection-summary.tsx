import type { Outage } from '../../contract/index.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { formatDuration } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { OutageKindBadge } from './outage-kind-badge.tsx';
import { describeOutage, getOutageRange } from './outage-ranges.ts';
import { useOutageScreenState } from './outage-selection.ts';

const text = texts.outages;

interface SelectionSummaryProps {
  readonly selected: Outage | null;
  readonly rangeText: string;
  readonly countsText: string;
}

/** Shows a summary of the selected time range with its commands. The fixed height keeps the content below in place. */
export function TimeRangeSelectionSummary({ selected, rangeText, countsText }: SelectionSummaryProps) {
  // Re-renders when the selection changes, because the selection determines which buttons are enabled.
  useOutageScreenState();
  const description = selected ? describeOutage(selected) : countsText;
  return (
    <section className="selection-summary" aria-label={text.selection}>
      <div aria-live="polite">
        <p>
          {selected && <OutageKindBadge status={selected.kind} />}
          <strong>{rangeText}</strong>
          {selected && (
            <span className="fineprint">
              {selected.ongoing ? text.ongoing : formatDuration(durationMs(selected))}
            </span>
          )}
        </p>
        <p className="selection-counts" title={description}>
          {description}
        </p>
      </div>
      <CommandButton id="outages.zoom" kind="quiet" />
      <CommandButton id="outages.whole" kind="quiet" />
      <CommandButton id="outages.show" />
      <CommandButton id="outages.missing" />
      <CommandButton id="incidents.add" />
      <CommandButton id="outages.plan" kind="primary" />
    </section>
  );
}

function durationMs(outage: Outage): number {
  const { from, to } = getOutageRange(outage);
  return to - from;
}
