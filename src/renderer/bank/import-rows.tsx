import type { ImportPlanRow, ImportRowResult } from '../../contract/index.ts';
import { Button } from '../controls/button.tsx';
import { MissingValue, Money } from '../controls/formatted-values.tsx';
import { formatDate } from '../texts/date-times.ts';
import { texts } from '../texts/texts.ts';

const text = texts.bank;
const titles = text.planColumns;

const verdictClasses: Record<ImportRowResult, string> = {
  new: 'bank-verdict-new',
  duplicate: 'bank-verdict-quiet',
  failed: 'bank-verdict-bad',
  skipped: 'bank-verdict-quiet',
};

/** Lists the rows of a file, each with its import result and the reason for it. */
export function ImportRowList({
  rows,
  currency,
  includedDuplicates = [],
  onIncludeDuplicates,
}: {
  readonly rows: readonly ImportPlanRow[];
  /** Currency of all rows, or null if each row shows its own currency. */
  readonly currency: string | null;
  /** Row numbers of duplicates to import anyway. Editable only if `onIncludeDuplicates` is given. */
  readonly includedDuplicates?: readonly number[];
  readonly onIncludeDuplicates?: (rows: readonly number[]) => void;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the scrollable area must be reachable by keyboard
    <section className="bank-file-rows" aria-label={text.planGrid} tabIndex={0}>
      <table aria-label={text.planGrid}>
        <thead>
          <tr>
            <th scope="col" className="end">
              {titles.row}
            </th>
            <th scope="col">{titles.verdict}</th>
            <th scope="col">{titles.booked}</th>
            <th scope="col" className="end">
              {titles.amount}
            </th>
            <th scope="col">{titles.text}</th>
            <th scope="col">{titles.reason}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.location} ${row.row} ${row.verdict}`}>
              <td className="end grid-quiet">{row.row ?? row.location}</td>
              <td className={verdictClasses[row.verdict]}>{text.verdicts[row.verdict]}</td>
              <td>{row.booked_on === null ? <MissingValue /> : formatDate(row.booked_on)}</td>
              <td className="end">
                {row.amount_in_cents === null ? (
                  <MissingValue />
                ) : (
                  <Money
                    cents={row.amount_in_cents}
                    {...(currency === null && row.currency !== null ? { currency: row.currency } : {})}
                  />
                )}
              </td>
              <td className="bank-file-text">
                {row.description ?? row.raw ?? <MissingValue />}{' '}
                <span className="grid-quiet">{detailOf(row)}</span>
              </td>
              <td className="bank-file-why">
                {row.reason}
                {onIncludeDuplicates && row.row !== null && (
                  <DuplicateButton
                    row={row}
                    number={row.row}
                    includedDuplicates={includedDuplicates}
                    onIncludeDuplicates={onIncludeDuplicates}
                  />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Returns the payee and reference, omitting what the description already contains. */
function detailOf({ description, counterparty, reference }: ImportPlanRow): string {
  const shownText = description ?? '';
  return [counterparty, reference].filter((each) => each !== null && !shownText.includes(each)).join(' · ');
}

interface DuplicateButtonProps {
  readonly row: ImportPlanRow;
  readonly number: number;
  readonly includedDuplicates: readonly number[];
  readonly onIncludeDuplicates: (rows: readonly number[]) => void;
}

/** Button that imports a row although the row looks like a duplicate. */
function DuplicateButton({ row, number, includedDuplicates, onIncludeDuplicates }: DuplicateButtonProps) {
  if (includedDuplicates.includes(number)) {
    return (
      <Button
        size="small"
        kind="quiet"
        onPress={() => onIncludeDuplicates(includedDuplicates.filter((each) => each !== number))}
      >
        {text.skipAgain}
      </Button>
    );
  }
  if (row.verdict !== 'duplicate') return null;
  return (
    <Button size="small" kind="quiet" onPress={() => onIncludeDuplicates([...includedDuplicates, number])}>
      {text.importAnyway}
    </Button>
  );
}
