import type { BankImport, Site } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Link } from '../controls/link.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { DateTime } from '../controls/values.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { DetailPane } from '../layout/screen.tsx';
import { texts } from '../texts/texts.ts';
import { openImport } from './route.ts';

const text = texts.bank;
const MAX_IMPORTS = 200;

/** Lists the imported bank files, newest first. */
export function ImportList({ site }: { readonly site: Site }) {
  const { data, error } = useQuery('bank.imports', { site: site.site, limit: MAX_IMPORTS });
  return (
    <DetailPane
      label={text.imports}
      head={<h2>{text.imports}</h2>}
      actions={<CommandButton id="view.closeDetail" kind="quiet" iconOnly />}
    >
      <div className="detail-body">
        {error && <ErrorMessage error={error} />}
        {!data && !error && <Skeleton />}
        {data?.rows.length === 0 && <p>{text.importsEmpty}</p>}
        <ul className="bank-imports">
          {data?.rows.map((each) => (
            <ImportRow key={each.id} bankImport={each} />
          ))}
        </ul>
      </div>
    </DetailPane>
  );
}

function ImportRow({ bankImport }: { readonly bankImport: BankImport }) {
  const { id, file, account, rows, state, at } = bankImport;
  return (
    <li className={state === 'removed' ? 'bank-import bank-import-removed' : 'bank-import'}>
      <Link onPress={() => openImport(id)}>{file}</Link>
      <span>
        {account.name} · {text.lineCount(rows.new)}
      </span>
      <span className="fineprint">
        <DateTime at={at} /> · {text.importStates[state]}
      </span>
    </li>
  );
}
