import type { ExceptionDetail } from '../../contract/index.ts';
import { Panel } from '../controls/panel.tsx';
import { Money, NoValue } from '../controls/values.tsx';
import { texts } from '../texts/texts.ts';
import { withCalculationRoles } from './calculation-roles.ts';

const text = texts.exceptions;

/** Shows the calculation of an exception as a column of amounts. */
export function Calculation({
  exception,
  currency,
}: {
  readonly exception: ExceptionDetail;
  readonly currency: string;
}) {
  const lines = withCalculationRoles(exception.arithmetic.map((line, index) => ({ ...line, index })));
  if (lines.length === 0) return null;
  return (
    <Panel title={text.calculation} aside={<span className="fineprint">{currency}</span>}>
      <table className="arithmetic">
        <thead className="visually-hidden">
          <tr>
            <th scope="col">{text.calculationLine}</th>
            <th scope="col">{texts.statements.withCurrency(text.amount, currency)}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.index} className={`arithmetic-${line.role}`}>
              <th scope="row">{line.label}</th>
              <td>{line.amount_in_cents === null ? <NoValue /> : <Money cents={line.amount_in_cents} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
