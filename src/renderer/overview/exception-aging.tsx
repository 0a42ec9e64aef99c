import type { CheckSummary } from '../../contract/index.ts';
import { Panel } from '../controls/panel.tsx';
import { Money } from '../controls/values.tsx';
import { formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { CountBar } from './count-bar.tsx';

const text = texts.overview;

/** Shows the open exceptions by age. */
export function ExceptionAging({
  summary,
  currency,
}: {
  readonly summary: CheckSummary;
  readonly currency: string;
}) {
  const maxCount = Math.max(1, ...summary.aging.map(({ open }) => open));
  return (
    <Panel level={2} title={text.aging} aside={<span className="fineprint">{text.agingBasis}</span>}>
      <table className="table by-rule">
        <tbody>
          {summary.aging.map((bucket) => (
            <tr key={bucket.from_days}>
              <th scope="row">{text.ageRange(bucket.from_days, bucket.to_days)}</th>
              <td className="by-rule-open">
                <CountBar count={bucket.open} maxCount={maxCount} />
                {formatCount(bucket.open)}
              </td>
              <td className="table-end">
                <Money cents={bucket.at_stake_in_cents} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
