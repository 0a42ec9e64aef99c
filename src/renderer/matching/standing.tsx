import { Info } from 'lucide-react';
import type { MatchSummary } from '../../contract/index.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Link } from '../controls/link.tsx';
import { moneyText } from '../words/money.ts';
import { countText } from '../words/numbers.ts';
import { words } from '../words/words.ts';
import { openMatching } from './place.ts';

const text = words.matching;
const explained: readonly string[] = ['matched', 'ignored'];

/** How far both sides are explained, what the last run did, and whether another one would find more. */
export function Standing({ summary }: { readonly summary: MatchSummary }) {
  const { last_run, stale } = summary;
  if (summary.lines.length === 0) return null;
  return (
    <div className="match-standing">
      {(['lines', 'payments'] as const).map((side) => (
        <p key={side}>
          <b>{text.summary[side]}</b> <Share sums={summary[side]} />
        </p>
      ))}
      {summary.payouts.total > 0 && (
        <p>
          <b>{words.payouts.title}</b>{' '}
          <Link onPress={() => openMatching('payouts')}>
            {words.payouts.standing(summary.payouts.waiting, summary.payouts.total)}
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
            {text.stale}
          </CommandButton>
        </p>
      )}
    </div>
  );
}

function Share({ sums }: { readonly sums: MatchSummary['lines'] }) {
  const total = sums.reduce((sum, { count }) => sum + count, 0);
  const done = sums
    .filter(({ state }) => explained.includes(state))
    .reduce((sum, { count }) => sum + count, 0);
  const open = Map.groupBy(
    sums.filter(({ state }) => !explained.includes(state)),
    ({ currency }) => currency,
  );
  const left = [...open].map(([currency, some]) =>
    moneyText(
      some.reduce((sum, { in_cents, out_cents }) => sum + in_cents + out_cents, 0),
      currency,
    ),
  );
  return (
    <>
      {countText(done)} / {countText(total)} {text.summary.explained}
      {left.length > 0 && ` · ${left.join(', ')} ${text.summary.open}`}
    </>
  );
}
