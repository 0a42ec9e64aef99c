import { Search } from 'lucide-react';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { BankLine, Payment, Site } from '../../../contract/index.ts';
import { useAction, useContractClient } from '../../backend-client/backend-hooks.ts';
import { Button } from '../../controls/button.tsx';
import { bindFormField, TextInput } from '../../controls/form-fields.tsx';
import { Money } from '../../controls/formatted-values.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { EnterKeyForm } from '../../layout/form-dialog.tsx';
import { openDialog, setListFilter, useWindowState } from '../../navigation/window-state.ts';
import { formatAmount } from '../../texts/money.ts';
import { texts } from '../../texts/texts.ts';
import { showManualMatchNotice } from '../shared/match-decisions.ts';

const text = texts.matching.manual;

interface ManualMatchFooterProps {
  readonly site: Site;
  readonly lines: readonly BankLine[];
  readonly payments: readonly Payment[];
  readonly onClear: () => void;
}

/** Initial category and reason for a difference. */
const NO_REASONS = { category: '', reason: '' };

const idOf = ({ id }: { readonly id: number }) => id;

const sumUnmatched = (rows: readonly (BankLine | Payment)[]) =>
  rows.reduce((sum, row) => sum + row.amount_in_cents - row.claimed_in_cents, 0);

/** Returns the totals of the selected bank lines and payments, and the reason why they cannot be matched, if any. */
function totalsOf({ site, lines, payments }: ManualMatchFooterProps) {
  const currencies = new Set([...lines, ...payments].map((row) => row.currency));
  const [currency = site.currency] = currencies;
  const hasMixedCurrencies = currencies.size > 1;
  const hasBothSides = lines.length > 0 && payments.length > 0;
  const [lines_in_cents, payments_in_cents] = [sumUnmatched(lines), sumUnmatched(payments)];
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
  const [reasons, setReasons] = useState(NO_REASONS);
  const [category, reason] = [reasons.category.trim(), reasons.reason.trim()];
  const totals = totalsOf(props);
  const difference = totals.difference_in_cents;
  const isAssigned = difference === 0 || (category !== '' && reason !== '');
  const blockedReason = totals.blockedReason ?? (isAssigned ? null : text.differenceUnassigned);
  const matching = useAction(() =>
    client.match.make({
      site: site.site,
      lines: lines.map(({ id }) => ({ id })),
      transactions: payments.map(({ id }) => ({ id })),
      adjustments: difference === 0 ? [] : [{ category, amount_in_cents: difference, reason }],
    }),
  );
  const clear = () => {
    setReasons(NO_REASONS);
    onClear();
  };
  const match = async () => {
    if (blockedReason !== null) return;
    const group = await matching.run();
    if (!group) return;
    clear();
    showManualMatchNotice(client, site.site, [group]);
  };
  useCtrlEnterShortcut(() => void match());
  return (
    <footer className="match-manual-footer">
      <SelectionSummary {...props} totals={totals} />
      <FindCounterpart {...props} difference={totals.hasMixedCurrencies ? 0 : difference} />
      {lines.length > 0 && payments.length > 0 && difference !== 0 && (
        <DifferenceForm reasons={reasons} onChange={setReasons} onSubmit={match} />
      )}
      <span className="match-manual-actions">
        <Button
          disabledReason={lines.length === 0 && payments.length === 0 ? text.nothingSelected : null}
          onPress={() =>
            openDialog({
              kind: 'writeOff',
              lines: lines.map(idOf),
              transactions: payments.map(idOf),
              onDone: clear,
            })
          }
        >
          {text.writeOff}
        </Button>
        <Button
          disabledReason={totals.blockedReason}
          onPress={() => openDialog({ kind: 'split', group: null, lines, payments, onDone: clear })}
        >
          {texts.matching.split.open}
        </Button>
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

interface DifferenceFormProps {
  readonly reasons: typeof NO_REASONS;
  readonly onChange: (reasons: typeof NO_REASONS) => void;
  readonly onSubmit: () => Promise<void>;
}

/** Asks for the category and the reason of a difference between the selected lines and payments. */
function DifferenceForm({ reasons, onChange, onSubmit }: DifferenceFormProps) {
  return (
    <EnterKeyForm className="match-manual-difference" onSubmit={onSubmit}>
      <TextInput
        label={text.assignDifference}
        {...bindFormField(reasons, onChange, 'category')}
        maxLength={40}
        placeholder={texts.matching.split.categoryExample}
      />
      <TextInput
        label={texts.reason.label}
        {...bindFormField(reasons, onChange, 'reason')}
        maxLength={2000}
      />
    </EnterKeyForm>
  );
}

type SelectionSummaryProps = ManualMatchFooterProps & { readonly totals: ReturnType<typeof totalsOf> };

function SelectionSummary({ lines, payments, totals, onClear }: SelectionSummaryProps) {
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

interface FindCounterpartProps extends Pick<ManualMatchFooterProps, 'lines' | 'payments'> {
  readonly difference: number;
}

/** Button that searches the side with the smaller total for an item whose amount equals the difference. */
function FindCounterpart({ lines, payments, difference }: FindCounterpartProps) {
  const filters = useWindowState((state) => state.filters);
  if (difference === 0 || (lines.length === 0 && payments.length === 0)) return null;
  const side =
    payments.length === 0 || (lines.length > 0 && difference > 0) ? 'manualPayments' : 'manualLines';
  const cents = Math.abs(difference);
  const find = () =>
    setListFilter(side, {
      ...filters[side],
      search: undefined,
      min_in_cents: cents,
      max_in_cents: cents,
    });
  return (
    <Button size="small" kind="quiet" icon={Search} onPress={find}>
      {side === 'manualPayments' ? text.findPayment(formatAmount(cents)) : text.findLine(formatAmount(cents))}
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
