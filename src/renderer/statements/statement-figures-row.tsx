import { Copy } from 'lucide-react';
import type { StatementDetail } from '../../contract/index.ts';
import { Button } from '../controls/button.tsx';
import { Money } from '../controls/formatted-values.tsx';
import { type CopyableTable, copyTableAndNotify, handleCopyEvent } from '../grid/clipboard/copy-table.ts';
import { formatDecimal } from '../texts/money.ts';
import { texts } from '../texts/texts.ts';
import { toStatementFigures } from './statement-figures.ts';

const text = texts.statements;

interface StatementFiguresRowProps {
  readonly statement: StatementDetail;
  readonly currency: string;
}

/** Shows the figures of a statement as an equation. They can be copied as a table. */
export function StatementFiguresRow({ statement, currency }: StatementFiguresRowProps) {
  const { opening, charges, payments, other, closing } = toStatementFigures(statement);
  const { figures } = text;
  const parts = [
    { name: figures.opening, cents: opening },
    { name: figures.charges, cents: charges, sign: '+' },
    { name: figures.payments, cents: payments, sign: '−' },
    ...(other === 0 ? [] : [{ name: figures.other, cents: Math.abs(other), sign: other < 0 ? '−' : '+' }]),
    { name: figures.closing, cents: closing, sign: '=' },
  ];
  const table = (): CopyableTable => [
    [{ text: text.figure }, { text: currency }],
    ...parts.map(({ name, cents, sign }) => [
      { text: name },
      { exact: formatDecimal(sign === '−' ? -cents : cents) },
    ]),
  ];
  return (
    <section
      className="figures-box"
      aria-label={text.figuresLabel}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the table is copied with the keyboard
      tabIndex={0}
      onCopy={(event) => handleCopyEvent(event, table)}
    >
      <dl className="figures">
        {parts.map(({ name, cents, sign }) => (
          <Figure key={name} name={name} cents={cents} currency={currency} {...(sign && { sign })} />
        ))}
      </dl>
      <span className="figures-copy">
        <Button
          kind="quiet"
          size="small"
          icon={Copy}
          label={texts.grid.copyTable}
          onPress={() => void copyTableAndNotify(table())}
        />
      </span>
    </section>
  );
}

interface FigureProps {
  readonly name: string;
  readonly cents: number;
  readonly currency: string;
  readonly sign?: string;
}

function Figure({ name, cents, currency, sign }: FigureProps) {
  return (
    <div className={sign === '=' ? 'figure figure-result' : 'figure'}>
      {sign && (
        <span className="figure-sign" aria-hidden="true">
          {sign}
        </span>
      )}
      <dt>{name}</dt>
      <dd>
        <Money cents={cents} currency={currency} />
      </dd>
    </div>
  );
}
