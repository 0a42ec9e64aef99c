import { Fragment } from 'react';
import { Input } from 'react-aria-components';
import { Money } from '../../controls/formatted-values.tsx';
import { formatAmount, formatDecimal } from '../../texts/money.ts';
import { texts } from '../../texts/texts.ts';
import type { EnteredSplitAmounts, ParsedSplitItem, SplitAmounts, SplitPartTotals } from './split-amounts.ts';
import type { SplitTableItem } from './split-items.ts';

const text = texts.matching.split;
const sides = ['lines', 'payments'] as const;

interface SplitTableProps {
  readonly items: readonly SplitTableItem[];
  readonly typed: readonly EnteredSplitAmounts[];
  readonly amounts: SplitAmounts;
  readonly onType: (typed: readonly EnteredSplitAmounts[]) => void;
}

/** Table for entering the amounts of each part, with the amount that remains and the differences. */
export function SplitTable({ items, typed, amounts, onType }: SplitTableProps) {
  const { parts } = amounts;
  const currency = items[0]?.currency ?? '';
  const typeAmount = (itemIndex: number, part: number, value: string) =>
    onType(
      items.map((_, index) => {
        const before = typed[index] ?? [];
        return index === itemIndex
          ? parts.map((each, partIndex) => (each.part === part ? value : (before[partIndex] ?? '')))
          : before;
      }),
    );
  return (
    <table className="split-table">
      <thead>
        <tr>
          <th scope="col">{text.columns.item}</th>
          <th scope="col" className="end">
            {text.columns.open(currency)}
          </th>
          {parts.map(({ part }) => (
            <th key={part} scope="col" className="end">
              {parts.length === 1 ? text.columns.allocated : text.columns.part(part)}
            </th>
          ))}
          <th scope="col" className="end">
            {text.columns.remaining}
          </th>
        </tr>
      </thead>
      <tbody>
        {sides
          .filter((side) => items.some((item) => item.side === side))
          .map((side) => (
            <Fragment key={side}>
              <tr className="split-side">
                <th scope="rowgroup" colSpan={parts.length + 3}>
                  {side === 'lines' ? texts.matching.bankSide : texts.matching.statementSide}
                </th>
              </tr>
              {items.map((item, index) => {
                const result = amounts.items[index];
                return (
                  item.side === side &&
                  result && (
                    <SplitRow
                      key={`${side} ${item.id}`}
                      item={item}
                      typed={typed[index] ?? []}
                      result={result}
                      parts={parts}
                      onType={(part, value) => typeAmount(index, part, value)}
                    />
                  )
                );
              })}
            </Fragment>
          ))}
      </tbody>
      <tfoot aria-live="polite">
        <tr>
          <th scope="row" colSpan={2}>
            {text.columns.difference}
          </th>
          {parts.map(({ part, difference_in_cents, hasAmounts }) => (
            <td key={part} className={difference_in_cents === 0 ? 'end' : 'end split-differs'}>
              {hasAmounts && <Money cents={difference_in_cents} />}
            </td>
          ))}
          <td />
        </tr>
      </tfoot>
    </table>
  );
}

interface SplitRowProps {
  readonly item: SplitTableItem;
  readonly typed: EnteredSplitAmounts;
  readonly result: ParsedSplitItem;
  readonly parts: readonly SplitPartTotals[];
  readonly onType: (part: number, value: string) => void;
}

/** Row of the split table. Pressing `=` in a field fills in the remaining amount of the item. */
function SplitRow({ item, typed, result, parts, onType }: SplitRowProps) {
  return (
    <tr>
      <th scope="row">
        <span title={item.title}>{item.title}</span>
        <small>{item.detail}</small>
      </th>
      <td className="end">
        <Money cents={item.unmatched_in_cents} />
      </td>
      {parts.map(({ part }) => (
        <td key={part}>
          <Input
            className="input split-input"
            inputMode="decimal"
            autoComplete="off"
            aria-label={text.allocatedOf(item.title, parts.length === 1 ? null : part)}
            aria-invalid={result.error !== null && result.cents[part - 1] !== 0}
            placeholder={formatAmount(0)}
            value={typed[part - 1] ?? ''}
            onChange={(event) => onType(part, event.target.value)}
            onFocus={(event) => event.target.select()}
            onKeyDown={(event) => {
              if (event.key !== '=') return;
              event.preventDefault();
              const remaining = result.remaining_in_cents + (result.cents[part - 1] ?? 0);
              onType(part, remaining === 0 ? '' : formatDecimal(remaining));
            }}
          />
        </td>
      ))}
      <td className={result.error === null ? 'end' : 'end split-differs'}>
        {result.error === null ? (
          <Money cents={result.remaining_in_cents} />
        ) : (
          <span>{text.shortErrors[result.error]}</span>
        )}
      </td>
    </tr>
  );
}
