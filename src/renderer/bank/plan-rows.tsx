import type { PlanRow, RowVerdict } from '../../contract/index.ts';
import { Button } from '../controls/button.tsx';
import { Absent, Money } from '../controls/values.tsx';
import { dateText } from '../words/moments.ts';
import { words } from '../words/words.ts';

const text = words.bank;
const titles = text.planColumns;

const looks: Record<RowVerdict, string> = {
  new: 'bank-verdict-new',
  duplicate: 'bank-verdict-quiet',
  failed: 'bank-verdict-bad',
  skipped: 'bank-verdict-quiet',
};

/** Rows of a file with what becomes of each, and why. */
export function PlanRows({
  rows,
  currency,
  kept = [],
  onKeep,
}: {
  readonly rows: readonly PlanRow[];
  /** Of all of them, where it is one; else each row shows its own. */
  readonly currency: string | null;
  /** Rows that come in although a line like them is held, and how that is changed while it can be. */
  readonly kept?: readonly number[];
  readonly onKeep?: (rows: readonly number[]) => void;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keys
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
            <th scope="col">{titles.why}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={`${row.place} ${row.row} ${row.verdict}`}>
              <td className="end grid-quiet">{row.row ?? row.place}</td>
              <td className={looks[row.verdict]}>{text.verdicts[row.verdict]}</td>
              <td>{row.booked_on === null ? <Absent /> : dateText(row.booked_on)}</td>
              <td className="end">
                {row.amount_in_cents === null ? (
                  <Absent />
                ) : (
                  <Money
                    cents={row.amount_in_cents}
                    {...(currency === null && row.currency !== null ? { currency: row.currency } : {})}
                  />
                )}
              </td>
              <td className="bank-file-text">
                {row.description ?? row.raw ?? <Absent />} <span className="grid-quiet">{detailOf(row)}</span>
              </td>
              <td className="bank-file-why">
                {row.reason}
                {onKeep && row.row !== null && (
                  <Keeping row={row} number={row.row} kept={kept} onKeep={onKeep} />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Payee and reference, as far as the text does not say them already. */
function detailOf({ description, counterparty, reference }: PlanRow): string {
  const told = description ?? '';
  return [counterparty, reference].filter((each) => each !== null && !told.includes(each)).join(' · ');
}

interface KeepingProps {
  readonly row: PlanRow;
  readonly number: number;
  readonly kept: readonly number[];
  readonly onKeep: (rows: readonly number[]) => void;
}

/** A twin that is no duplicate comes in when a person says so. */
function Keeping({ row, number, kept, onKeep }: KeepingProps) {
  if (kept.includes(number)) {
    return (
      <Button size="small" kind="quiet" onPress={() => onKeep(kept.filter((each) => each !== number))}>
        {text.leaveOut}
      </Button>
    );
  }
  if (row.verdict !== 'duplicate') return null;
  return (
    <Button size="small" kind="quiet" onPress={() => onKeep([...kept, number])}>
      {text.bringIn}
    </Button>
  );
}
