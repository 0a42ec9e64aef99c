import { texts } from '../../texts/texts.ts';

interface StatementChecklistProps {
  readonly statements: readonly string[];
  readonly confirmed: readonly string[];
  onChange(confirmed: readonly string[]): void;
}

/** Checkboxes with which a signer confirms certification statements one by one. Shows nothing if there are none. */
export function StatementChecklist({ statements, confirmed, onChange }: StatementChecklistProps) {
  if (statements.length === 0) return null;
  return (
    <fieldset className="statement-checklist">
      <legend>{texts.periods.step.statements}</legend>
      {statements.map((statement) => (
        <label key={statement}>
          <input
            type="checkbox"
            checked={confirmed.includes(statement)}
            onChange={({ target }) =>
              onChange(
                target.checked ? [...confirmed, statement] : confirmed.filter((each) => each !== statement),
              )
            }
          />
          {statement}
        </label>
      ))}
    </fieldset>
  );
}
