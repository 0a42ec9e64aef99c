import type { ImportPlan } from '../../contract/index.ts';
import { texts } from '../texts/texts.ts';

const text = texts.bank;
const roles: Readonly<Record<string, string>> = text.columnRoles;

/** Lists the columns of an imported table with the field that each column is read as. */
export function ImportColumnList({ columns }: Pick<ImportPlan, 'columns'>) {
  if (columns.length === 0) return null;
  return (
    <section aria-label={text.fileColumns}>
      <ul className="bank-columns fineprint">
        {columns.map(({ name, role }) => (
          <li key={name}>
            <b>{name}</b> {roles[role] ?? role}
          </li>
        ))}
      </ul>
    </section>
  );
}
