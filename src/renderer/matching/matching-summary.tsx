import { Info } from 'lucide-react';
import type { MatchSummary } from '../../contract/index.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Link } from '../controls/link.tsx';
import { formatMoney } from '../texts/money.ts';
import { formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { openMatchingTab } from './shared/matching-route.ts';

const text = texts.matching;
const matchedStates: readonly string[] = ['matched', 'ignored'];

/** Shows how much of each side is matched, the result of the last run, and whether a new run is needed. */
export function MatchingSummary({ summary }: { readonly summary: MatchSummary }) {
  const { last_run, stale } = summary;
  if (summary.lines.length === 0) return null;
  return (
    <div className="match-standing">
      {(['lines', 'payments'] as const).map((side) => (
        <p key={side}>
          <b>{text.summary[side]}</b> <MatchedShare sums={summary[side]} />
        </p>
      ))}
      {summary.payouts.total > 0 && (
        <p>
          <b>{texts.payouts.title}</b>{' '}
          <Link onPress={() => openMatchingTab('payouts')}>
            {texts.payouts.depositSummary(summary.payouts.waiting, summary.payouts.total)}
          </Link>
        </p>
      )}
      {last_run && (
        <p className="fineprint">
          {text.lastRun(last_run.confirmed, last_run.suggested, last_run.ambiguous)}
        </p>
      )}
      {stale && (
        <p className="match-stale">
          <Info size={14} aria-hidden="true" /> {stale}{' '}
          <CommandButton id="matching.run" size="small">
            {text.matchNow}
          </CommandButton>
        </p>
      )}
    </div>
  );
}

function MatchedShare({ sums }: { readonly sums: MatchSummary['lines'] }) {
  const total = sums.reduce((sum, { count }) => sum + count, 0);
  const done = sums
    .filter(({ state }) => matchedStates.includes(state))
    .reduce((sum, { count }) => sum + count, 0);
  const open = Map.groupBy(
    sums.filter(({ state }) => !matchedStates.includes(state)),
    ({ currency }) => currency,
  );
  const left = [...open].map(([currency, group]) =>
    formatMoney(
      group.reduce((sum, { in_cents, out_cents }) => sum + in_cents + out_cents, 0),
      currency,
    ),
  );
  return (
    <>
      {formatCount(done)} / {formatCount(total)} {text.summary.explained}
      {left.length > 0 && ` · ${left.join(', ')} ${text.summary.open}`}
    </>
  );
}
