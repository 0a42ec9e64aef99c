import { CircleCheck, CircleDashed, CircleDot, CircleHelp, CircleSlash2, Contrast } from 'lucide-react';
import type { CurrencyTotals, MatchState } from '../../contract/index.ts';
import { Money } from '../controls/formatted-values.tsx';
import { createStatusBadge } from '../controls/status-label.tsx';
import { texts } from '../texts/texts.ts';

export const MatchStateBadge = createStatusBadge<MatchState>(
  {
    open: ['accent', CircleDot],
    ambiguous: ['warn', CircleHelp],
    suggested: ['warn', CircleDashed],
    partial: ['warn', Contrast],
    matched: ['good', CircleCheck],
    ignored: ['calm', CircleSlash2],
  },
  texts.bank.states,
);

/** Shows the money received and paid in each currency. */
export function ReceivedAndPaidSums({ sums }: { readonly sums: readonly CurrencyTotals[] | null }) {
  return sums?.map(({ currency, in_cents, out_cents }) => (
    <span key={currency}>
      {in_cents > 0 && (
        <>
          <Money cents={in_cents} currency={currency} /> {texts.bank.moneyIn}
        </>
      )}
      {in_cents > 0 && out_cents < 0 && ' · '}
      {out_cents < 0 && (
        <>
          <Money cents={out_cents} currency={currency} /> {texts.bank.moneyOut}
        </>
      )}
    </span>
  ));
}
