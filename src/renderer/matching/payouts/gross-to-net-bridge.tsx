import type { BankLineFilter, Payout } from '../../../contract/index.ts';
import { Money } from '../../controls/formatted-values.tsx';
import { Link } from '../../controls/link.tsx';
import { Panel } from '../../controls/panel.tsx';
import { RecordLink } from '../../layout/record-link.tsx';
import { recordLocations } from '../../navigation/record-location.ts';
import { texts } from '../../texts/texts.ts';
import './payouts.css';

const text = texts.payouts;
type Kind = keyof typeof texts.bank.kinds;

interface GrossToNetBridgeProps {
  readonly payout: Payout;
  readonly onOpen: (narrow: BankLineFilter) => void;
}

/** Shows the gross-to-net bridge of a payout. An unexplained difference of zero is shown too. */
export function GrossToNetBridge({ payout, onOpen }: GrossToNetBridgeProps) {
  const { bridge, currency, stated_in_cents: stated, deposited_in_cents: deposited, deposit } = payout;
  return (
    <Panel title={text.bridge}>
      <table className="arithmetic payout-bridge">
        <tbody>
          {bridge.map(({ category, count, amount_in_cents }) => (
            <tr key={category}>
              <th scope="row">
                <Link onPress={() => onOpen(rowsOf(category))}>{nameOf(category)}</Link>{' '}
                <small>{text.rowCount(count)}</small>
              </th>
              <td>
                <Money cents={amount_in_cents} />
              </td>
            </tr>
          ))}
          <tr className="arithmetic-sum">
            <th scope="row">
              <Link onPress={() => onOpen({})}>{text.net}</Link>
            </th>
            <td>
              <Money cents={payout.net_in_cents} currency={currency} />
            </td>
          </tr>
          {stated !== null && (
            <tr>
              <th scope="row">{text.stated}</th>
              <td>
                <Money cents={stated} />
              </td>
            </tr>
          )}
          <tr>
            <th scope="row">
              {deposit === null ? (
                text.deposited
              ) : (
                <RecordLink to={recordLocations.bankLine(deposit.line)}>{text.deposited}</RecordLink>
              )}
            </th>
            <td>{deposited === null ? text.notDeposited : <Money cents={deposited} />}</td>
          </tr>
          <tr className="arithmetic-difference">
            <th scope="row">{text.unexplained}</th>
            <td>
              <Money cents={payout.unexplained_in_cents} currency={currency} />
            </td>
          </tr>
        </tbody>
      </table>
    </Panel>
  );
}

const kinds: ReadonlyMap<string, string> = new Map(Object.entries(texts.bank.kinds));
const nameOf = (category: string): string => kinds.get(category) ?? category;

/** Returns a filter for the rows of a category. Fees have no filter, because any row can include a fee. */
function rowsOf(category: string): BankLineFilter {
  if (category === 'fee' || !kinds.has(category)) return {};
  return { kind: category === 'payment' ? ['payment', 'entry'] : [category as Kind] };
}
