import type { BankImport, Site } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Link } from '../controls/link.tsx';
import { Skeleton } from '../controls/pieces.tsx';
import { Moment } from '../controls/values.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { Detail } from '../frame/screen.tsx';
import { words } from '../words/words.ts';
import { openImport } from './place.ts';

const text = words.bank;
const MOST = 200;

/** The files that were brought in, the newest first. */
export function ImportList({ site }: { readonly site: Site }) {
  const { data, error } = useQuery('bank.imports', { site: site.site, limit: MOST });
  return (
    <Detail
      label={text.imports}
      head={<h2>{text.imports}</h2>}
      actions={<CommandButton id="view.closeDetail" kind="quiet" bare />}
    >
      <div className="detail-body">
        {error && <ErrorNote error={error} />}
        {!data && !error && <Skeleton />}
        {data?.rows.length === 0 && <p>{text.importsEmpty}</p>}
        <ul className="bank-imports">
          {data?.rows.map((each) => (
            <ImportRow key={each.id} known={each} />
          ))}
        </ul>
      </div>
    </Detail>
  );
}

function ImportRow({ known }: { readonly known: BankImport }) {
  const { id, file, account, rows, state, at } = known;
  return (
    <li className={state === 'removed' ? 'bank-import bank-import-removed' : 'bank-import'}>
      <Link onPress={() => openImport(id)}>{file}</Link>
      <span>
        {account.name} · {text.lines(rows.new)}
      </span>
      <span className="fineprint">
        <Moment at={at} /> · {text.importStates[state]}
      </span>
    </li>
  );
}
