import { Coins } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { Button } from '../controls/button.tsx';
import { TextInput } from '../controls/form-fields.tsx';
import { formatDecimal, parseAmount } from '../texts/money.ts';
import { texts } from '../texts/texts.ts';
import { ClearFilterButton } from './choice-pill.tsx';
import { type AmountRange, type FilterField, formatAmountRange } from './filter-field.ts';

interface AmountRangePillProps<F> {
  readonly field: Extract<FilterField<F>, { kind: 'amounts' }>;
  readonly filter: F;
  readonly onChange: (filter: F) => void;
}

/** Filter pill for a range of amounts. */
export function AmountRangePill<F>({ field, filter, onChange }: AmountRangePillProps<F>) {
  const amounts = field.read(filter);
  const text = formatAmountRange(amounts);
  return (
    <span className={text ? 'pill pill-active' : 'pill'}>
      <DialogTrigger>
        <AriaButton className="pill-part">
          <Coins size={13} aria-hidden="true" />
          {field.label}
          {text && <b>{text}</b>}
        </AriaButton>
        <Popover className="popover" offset={4} placement="bottom start">
          <Dialog className="popover-dialog" aria-label={field.label}>
            {({ close }) => (
              <AmountRangeForm
                amounts={amounts}
                onApply={(next) => {
                  onChange(field.write(filter, next));
                  close();
                }}
              />
            )}
          </Dialog>
        </Popover>
      </DialogTrigger>
      {text && (
        <ClearFilterButton
          label={field.label}
          onPress={() => onChange(field.write(filter, { min_in_cents: undefined, max_in_cents: undefined }))}
        />
      )}
    </span>
  );
}

interface AmountRangeFormProps {
  readonly amounts: AmountRange;
  readonly onApply: (amounts: AmountRange) => void;
}

/** Parses a typed amount into cents: undefined if empty, null if the text is not an amount of zero or more. */
function readAmount(typed: string): number | undefined | null {
  if (typed.trim() === '') return undefined;
  const cents = parseAmount(typed);
  return cents === null || cents < 0 ? null : cents;
}

const write = (cents: number | undefined) => (cents === undefined ? '' : formatDecimal(cents));

function AmountRangeForm({ amounts, onApply }: AmountRangeFormProps) {
  const [typed, setTyped] = useState({ min: write(amounts.min_in_cents), max: write(amounts.max_in_cents) });
  const [min, max] = [readAmount(typed.min), readAmount(typed.max)];
  const isReversed = typeof min === 'number' && typeof max === 'number' && min > max;
  const { invalidAmount, reversedAmounts } = texts.filters;
  const error = min === null || max === null ? invalidAmount : isReversed ? reversedAmounts : null;
  return (
    <form
      className="amounts"
      onSubmit={(event) => {
        event.preventDefault();
        if (error === null) onApply({ min_in_cents: min ?? undefined, max_in_cents: max ?? undefined });
      }}
    >
      <TextInput
        label={texts.filters.minAmount}
        value={typed.min}
        onChange={(value) => setTyped({ ...typed, min: value })}
        maxLength={20}
        autoFocus
        {...(min === null && { error: invalidAmount })}
      />
      <TextInput
        label={texts.filters.maxAmount}
        value={typed.max}
        onChange={(value) => setTyped({ ...typed, max: value })}
        maxLength={20}
        {...(max === null && { error: invalidAmount })}
        {...(isReversed && { error: reversedAmounts })}
      />
      <p className="fineprint">{texts.filters.amountHint}</p>
      <Button kind="primary" size="small" type="submit" disabledReason={error}>
        {texts.filters.apply}
      </Button>
    </form>
  );
}
