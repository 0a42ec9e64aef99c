import type { ExceptionDetail } from '../../contract/index.ts';
import { Panel } from '../controls/pieces.tsx';
import { Absent, Money } from '../controls/values.tsx';
import { words } from '../words/words.ts';
import { footed } from './footing.ts';

const text = words.exceptions;

/** The figures one under the other, as they would stand on paper. */
export function Arithmetic({
  exception,
  currency,
}: {
  readonly exception: ExceptionDetail;
  readonly currency: string;
}) {
  const lines = footed(exception.arithmetic.map((line, place) => ({ ...line, place })));
  if (lines.length === 0) return null;
  return (
    <Panel title={text.arithmetic} aside={<span className="fineprint">{currency}</span>}>
      <table className="arithmetic">
        <thead className="unseen">
          <tr>
            <th scope="col">{text.line}</th>
            <th scope="col">{words.statements.withCurrency(text.amount, currency)}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.place} className={`arithmetic-${line.standing}`}>
              <th scope="row">{line.label}</th>
              <td>{line.amount_in_cents === null ? <Absent /> : <Money cents={line.amount_in_cents} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
