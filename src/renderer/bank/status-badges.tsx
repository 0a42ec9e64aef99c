import type { LucideIcon } from 'lucide-react';
import { CircleCheck, CircleDashed, CircleDot, CircleHelp, CircleSlash2, Contrast } from 'lucide-react';
import type { MatchState, MoneySum } from '../../contract/index.ts';
import { StatusLabel, type StatusTone } from '../controls/status-label.tsx';
import { Money } from '../controls/values.tsx';
import { texts } from '../texts/texts.ts';

const states: Record<MatchState, readonly [StatusTone, LucideIcon]> = {
  open: ['accent', CircleDot],
  ambiguous: ['warn', CircleHelp],
  suggested: ['warn', CircleDashed],
  part: ['warn', Contrast],
  matched: ['good', CircleCheck],
  ignored: ['calm', CircleSlash2],
};

/** Shows the match state of a bank line or payment. */
export function MatchStateBadge({
  state,
  pill = false,
}: {
  readonly state: MatchState;
  readonly pill?: boolean;
}) {
  const [tone, icon] = states[state];
  return (
    <StatusLabel tone={tone} icon={icon} pill={pill}>
      {texts.bank.states[state]}
    </StatusLabel>
  );
}

/** Shows the money received and paid in each currency. */
export function MoneySums({ sums }: { readonly sums: readonly MoneySum[] | null }) {
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
