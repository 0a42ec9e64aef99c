import type { LucideIcon } from 'lucide-react';
import { CircleCheck, CircleDashed, CircleDot, CircleHelp, CircleSlash2, Contrast } from 'lucide-react';
import type { MatchState, MoneySum } from '../../contract/index.ts';
import { Status, type Tone } from '../controls/status.tsx';
import { Money } from '../controls/values.tsx';
import { words } from '../words/words.ts';

const states: Record<MatchState, readonly [Tone, LucideIcon]> = {
  open: ['accent', CircleDot],
  ambiguous: ['warn', CircleHelp],
  suggested: ['warn', CircleDashed],
  part: ['warn', Contrast],
  matched: ['good', CircleCheck],
  ignored: ['calm', CircleSlash2],
};

/** How far a line or a payment is explained. */
export function MatchStatus({
  state,
  pill = false,
}: {
  readonly state: MatchState;
  readonly pill?: boolean;
}) {
  const [tone, icon] = states[state];
  return (
    <Status tone={tone} icon={icon} pill={pill}>
      {words.bank.states[state]}
    </Status>
  );
}

/** What came in and what went out, in each currency. */
export function Sums({ sums }: { readonly sums: readonly MoneySum[] | null }) {
  return sums?.map(({ currency, in_cents, out_cents }) => (
    <span key={currency}>
      {in_cents > 0 && (
        <>
          <Money cents={in_cents} currency={currency} /> {words.bank.sumIn}
        </>
      )}
      {in_cents > 0 && out_cents < 0 && ' · '}
      {out_cents < 0 && (
        <>
          <Money cents={out_cents} currency={currency} /> {words.bank.sumOut}
        </>
      )}
    </span>
  ));
}
