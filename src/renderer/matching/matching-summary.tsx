import { Info } from 'lucide-react';
import type { BankAccount, CurrencyTotals, MatchSummary } from '../../contract/index.ts';
import { ReceivedAndPaidSums } from '../bank/status-badges.tsx';
import { CommandButton } from '../commands/command-button.tsx';
import { Link } from '../controls/link.tsx';
import { formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { openMatchingTab } from './shared/matching-route.ts';

const text = texts.matching;
const matchedStates: readonly string[] = ['matched', 'ignored'];

interface MatchingSummaryProps {
  readonly summary: MatchSummary;
  readonly accounts: readonly BankAccount[];
}

/** Shows how much of each side is matched, the result of the last run, and whether a new run is needed. */
export function MatchingSummary({ summary, accounts }: MatchingSummaryProps) {
  const { last_run, stale } = summary;
  if (summary.lines.length === 0) return null;
  return (
    <div className="match-standing">
      <p>
        <b>{text.summary.lines}</b> <MatchedShare sums={summary.lines} />
      </p>
      {accounts.map(({ id, name, unmatched }) => (
        <UnmatchedSums key={id} name={text.summary.unmatchedIn(name)} sums={unmatched} />
      ))}
      <p>
        <b>{text.summary.payments}</b> <MatchedShare sums={summary.payments} />
      </p>
      <UnmatchedSums name={text.summary.unmatchedPayments} sums={summary.unmatched_payments} />
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

interface UnmatchedSumsProps {
  readonly name: string;
  readonly sums: readonly CurrencyTotals[];
}

/** Shows the unmatched amounts in and out of one account. Shows nothing if everything is matched. */
function UnmatchedSums({ name, sums }: UnmatchedSumsProps) {
  if (sums.length === 0) return null;
  return (
    <p>
      {name} <ReceivedAndPaidSums sums={sums} />
    </p>
  );
}

function MatchedShare({ sums }: { readonly sums: MatchSummary['lines'] }) {
  const count = (states: MatchSummary['lines']) => states.reduce((sum, each) => sum + each.count, 0);
  const done = sums.filter(({ state }) => matchedStates.includes(state));
  return `${formatCount(count(done))} / ${formatCount(count(sums))} ${text.summary.explained}`;
}
