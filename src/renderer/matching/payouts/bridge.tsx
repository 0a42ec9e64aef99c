import type { BankLineFilter, Payout } from '../../../contract/index.ts';
import { Link } from '../../controls/link.tsx';
import { Panel } from '../../controls/pieces.tsx';
import { Money } from '../../controls/values.tsx';
import { openPlace, placeOf } from '../../view/place.ts';
import { words } from '../../words/words.ts';
import './payouts.css';

const text = words.payouts;
type Kind = keyof typeof words.bank.kinds;

interface BridgeProps {
  readonly payout: Payout;
  readonly onOpen: (narrow: BankLineFilter) => void;
}

/** From gross to net by what each kind of row moved; what nothing explains is named, be it nothing. Each figure leads to its rows. */
export function Bridge({ payout, onOpen }: BridgeProps) {
  const { bridge, currency, stated_in_cents: stated, deposited_in_cents: deposited, deposit } = payout;
  return (
    <Panel title={text.bridge}>
      <table className="arithmetic payout-bridge">
        <tbody>
          {bridge.map(({ category, count, amount_in_cents }) => (
            <tr key={category}>
              <th scope="row">
                <Link onPress={() => onOpen(rowsOf(category))}>{nameOf(category)}</Link>{' '}
                <small>{text.entries(count)}</small>
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
                <Link onPress={() => openPlace(placeOf.bankLine(deposit.line))}>{text.deposited}</Link>
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

const kinds: ReadonlyMap<string, string> = new Map(Object.entries(words.bank.kinds));
const nameOf = (category: string): string => kinds.get(category) ?? category;

/** A fee may stand on any row, beside its amount: the others have rows of their own kind. */
function rowsOf(category: string): BankLineFilter {
  if (category === 'fee' || !kinds.has(category)) return {};
  return { kind: category === 'payment' ? ['payment', 'entry'] : [category as Kind] };
}
