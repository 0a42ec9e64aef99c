import type { CheckSummary } from '../../contract/index.ts';
import { Panel } from '../controls/pieces.tsx';
import { Money } from '../controls/values.tsx';
import { countText } from '../words/numbers.ts';
import { words } from '../words/words.ts';
import { Bar } from './bar.tsx';

const text = words.overview;

/** How old what is open is. */
export function Ageing({ summary, currency }: { readonly summary: CheckSummary; readonly currency: string }) {
  const most = Math.max(1, ...summary.ageing.map(({ open }) => open));
  return (
    <Panel level={2} title={text.ageing} aside={<span className="fineprint">{text.ageingText}</span>}>
      <table className="table by-rule">
        <tbody>
          {summary.ageing.map((bucket) => (
            <tr key={bucket.from_days}>
              <th scope="row">{text.days(bucket.from_days, bucket.to_days)}</th>
              <td className="by-rule-open">
                <Bar of={bucket.open} most={most} />
                {countText(bucket.open)}
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
