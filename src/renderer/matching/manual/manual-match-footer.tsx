import { Search } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { BankLine, Payment, Site } from '../../../contract/index.ts';
import { useAction, useContractClient } from '../../backend-client/backend-hooks.ts';
import { Button } from '../../controls/button.tsx';
import { TextInput } from '../../controls/form-fields.tsx';
import { Money } from '../../controls/values.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { openDialog, useWindowState } from '../../navigation/window-state.ts';
import { formatAmount } from '../../texts/money.ts';
import { texts } from '../../texts/texts.ts';
import { notifyManualMatch } from '../match-decisions.ts';
import { setUnmatchedFilter, useUnmatchedFilters } from './unmatched-filters.ts';

const text = texts.matching.manual;

interface ManualMatchFooterProps {
  readonly site: Site;
  readonly lines: readonly BankLine[];
  readonly payments: readonly Payment[];
  readonly onClear: () => void;
}

const sumUnmatched = (rows: readonly (BankLine | Payment)[]) =>
  rows.reduce((sum, row) => sum + row.amount_in_cents - row.claimed_in_cents, 0);

/** Totals of the selected bank lines and payments. */
interface SelectionTotals {
  readonly lines_in_cents: number;
  readonly payments_in_cents: number;
  readonly difference_in_cents: number;
  readonly currency: string;
  readonly hasMixedCurrencies: boolean;
  /**
   * Reason why the selection cannot be matched, for example because it contains two currencies. Null if it can be
   * matched.
   */
  readonly blockedReason: string | null;
}

function totalsOf({ site, lines, payments }: ManualMatchFooterProps): SelectionTotals {
  const lines_in_cents = sumUnmatched(lines);
  const payments_in_cents = sumUnmatched(payments);
  const currencies = new Set([...lines, ...payments].map((row) => row.currency));
  const [currency = site.currency] = currencies;
  const hasMixedCurrencies = currencies.size > 1;
  const hasBothSides = lines.length > 0 && payments.length > 0;
  return {
    lines_in_cents,
    payments_in_cents,
    difference_in_cents: lines_in_cents - payments_in_cents,
    currency,
    hasMixedCurrencies,
    blockedReason: !hasBothSides ? text.nothingSelected : hasMixedCurrencies ? text.currencies : null,
  };
}

/** Shows the totals of the selection, and buttons to match, split, or write off the selected items. */
export function ManualMatchFooter(props: ManualMatchFooterProps) {
  const { site, lines, payments, onClear } = props;
  const client = useContractClient();
  const [category, setCategory] = useState('');
  const [reason, setReason] = useState('');
  const totals = totalsOf(props);
  const difference = totals.difference_in_cents;
  const isAssigned = difference === 0 || (category.trim() !== '' && reason.trim() !== '');
  const blockedReason = totals.blockedReason ?? (isAssigned ? null : text.differenceUnassigned);
  const matching = useAction(() =>
    client.match.make({
      site: site.site,
      lines: lines.map(({ id }) => ({ id })),
      transactions: payments.map(({ id }) => ({ id })),
      adjustments:
        difference === 0
          ? []
          : [{ category: category.trim(), amount_in_cents: difference, reason: reason.trim() }],
    }),
  );
  const clear = () => {
    setCategory('');
    setReason('');
    onClear();
  };
  const match = async () => {
    if (blockedReason !== null) return;
    const group = await matching.run();
    if (!group) return;
    clear();
    notifyManualMatch(client, site.site, [group]);
  };
  useCtrlEnterShortcut(() => void match());
  return (
    <footer className="match-manual-footer">
      <SelectionSummary {...props} totals={totals} />
      <FindCounterpart
        lines={lines.length > 0}
        payments={payments.length > 0}
        difference={totals.hasMixedCurrencies ? 0 : difference}
      />
      {lines.length > 0 && payments.length > 0 && difference !== 0 && (
        <form
          className="match-manual-difference"
          onSubmit={(event) => {
            event.preventDefault();
            void match();
          }}
        >
          <TextInput
            label={text.assignDifference}
            value={category}
            onChange={setCategory}
            maxLength={40}
            placeholder={texts.matching.split.categoryExample}
          />
          <TextInput label={texts.reason.label} value={reason} onChange={setReason} maxLength={2000} />
          <button type="submit" hidden />
        </form>
      )}
      <span className="match-manual-actions">
        <SelectionButtons lines={lines} payments={payments} totals={totals} onSplit={clear} />
        <Button
          kind="primary"
          label={text.make}
          shortcuts={['Mod+Enter']}
          isPending={matching.running}
          disabledReason={blockedReason}
          onPress={() => void match()}
        >
          {text.make}
        </Button>
      </span>
      {matching.error && <ErrorMessage error={matching.error} />}
    </footer>
  );
}

function SelectionSummary({
  lines,
  payments,
  totals,
  onClear,
}: Omit<ManualMatchFooterProps, 'site'> & { readonly totals: SelectionTotals }) {
  const { currency } = totals;
  return (
    <div className="match-manual-figures" aria-live="polite">
      {lines.length === 0 && payments.length === 0 ? (
        <span className="fineprint">{text.selectHint}</span>
      ) : (
        <>
          <span>{text.selected(lines.length, payments.length)}</span>
          <span>
            {text.bank} <Money cents={totals.lines_in_cents} currency={currency} />
          </span>
          <span>
            {text.statements} <Money cents={totals.payments_in_cents} currency={currency} />
          </span>
          <b>
            {text.difference} <Money cents={totals.difference_in_cents} currency={currency} />
          </b>
          <Button size="small" kind="quiet" onPress={onClear}>
            {text.clear}
          </Button>
        </>
      )}
    </div>
  );
}

interface SelectionButtonsProps {
  readonly lines: readonly BankLine[];
  readonly payments: readonly Payment[];
  readonly totals: SelectionTotals;
  /** Called after the selection has been split. */
  readonly onSplit: () => void;
}

function SelectionButtons({ lines, payments, totals, onSplit }: SelectionButtonsProps) {
  return (
    <>
      <Button
        disabledReason={lines.length === 0 && payments.length === 0 ? text.nothingSelected : null}
        onPress={() =>
          openDialog({
            kind: 'writeOff',
            lines: lines.map(({ id }) => id),
            transactions: payments.map(({ id }) => id),
          })
        }
      >
        {text.writeOff}
      </Button>
      <Button
        disabledReason={totals.blockedReason}
        onPress={() => openDialog({ kind: 'split', group: null, lines, payments, onDone: onSplit })}
      >
        {texts.matching.split.open}
      </Button>
    </>
  );
}

interface FindCounterpartProps {
  readonly lines: boolean;
  readonly payments: boolean;
  readonly difference: number;
}

/** Button that searches the side with the smaller total for an item whose amount equals the difference. */
function FindCounterpart({ lines, payments, difference }: FindCounterpartProps) {
  const filters = useUnmatchedFilters();
  if (difference === 0 || (!lines && !payments)) return null;
  const side = !payments || (lines && difference > 0) ? 'payments' : 'lines';
  const cents = Math.abs(difference);
  const find = () =>
    setUnmatchedFilter(side, {
      ...filters[side],
      search: undefined,
      min_in_cents: cents,
      max_in_cents: cents,
    });
  return (
    <Button size="small" kind="quiet" icon={Search} onPress={find}>
      {side === 'payments' ? text.findPayment(formatAmount(cents)) : text.findLine(formatAmount(cents))}
    </Button>
  );
}

/** Calls `act` when the user presses Ctrl+Enter or Cmd+Enter anywhere on the screen. */
function useCtrlEnterShortcut(act: () => void): void {
  const latest = useRef(act);
  useLayoutEffect(() => {
    latest.current = act;
  });
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      if (event.defaultPrevented || useWindowState.getState().dialog !== null) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
