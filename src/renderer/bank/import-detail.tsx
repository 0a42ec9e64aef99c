import type { BankImport, Site } from '../../contract/index.ts';
import { useAction, useBackend, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Button } from '../controls/button.tsx';
import { DateTime, LabeledValueList } from '../controls/formatted-values.tsx';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/panel.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { ReasonDialog } from '../layout/reason-dialog.tsx';
import { DetailPane } from '../layout/screen-layout.tsx';
import { RecordPane } from '../list-screen/record-pane.tsx';
import { openDialog, setListFilter } from '../navigation/window-state.ts';
import { formatDate } from '../texts/date-times.ts';
import { formatBytes } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { saveFile } from '../window-shell/save-file.ts';
import { openBankImport } from './bank-route.ts';
import { ImportRowList } from './import-rows.tsx';

const text = texts.bank;
const MAX_REJECTED_ROWS = 500;

/** Shows one bank import: its file, its rejected rows, and a button to remove the import. */
export function BankImportDetail({ site, id }: { readonly site: Site; readonly id: number }) {
  const { data: rows } = useQuery('bank.importRows', { site: site.site, id, limit: MAX_REJECTED_ROWS });
  const { connection } = useBackend();
  const saving = useAction(async () => {
    const file = await connection.client.bank.source({ site: site.site, id });
    await saveFile({ bytes: await connection.readBlob(file.blob), name: file.name, type: file.type });
  });
  return (
    <RecordPane
      title={text.importDetail(id)}
      query={useQuery('bank.getImport', { site: site.site, id })}
      notFoundText={text.importNotFound}
      head={({ file, account, state }) => (
        <>
          <h2>{file}</h2>
          <p>
            <span>{account.name}</span>
            <span>{text.importStates[state]}</span>
          </p>
        </>
      )}
    >
      {(bankImport) => (
        <div className="detail-body">
          {bankImport.removed && (
            <p className="callout">
              {text.removedBecause(bankImport.removed.user, bankImport.removed.reason)}
            </p>
          )}
          <div className="decisions">
            <Button onPress={() => setListFilter('bank', { import: id })}>{text.showLines}</Button>
            <Button isPending={saving.running} onPress={() => void saving.run()}>
              {text.saveFile}
            </Button>
            {bankImport.state === 'done' && (
              <Button
                kind="danger"
                onPress={() => openDialog({ kind: 'removeImport', id, lines: bankImport.rows.new })}
              >
                {text.removeImport}
              </Button>
            )}
          </div>
          {saving.error && <ErrorMessage error={saving.error} />}
          <LabeledValueList rows={factsOf(bankImport)} />
          <Panel title={text.rejectedRows}>
            {rows?.rows.length === 0 ? (
              <p className="fineprint">{text.noneRejected}</p>
            ) : (
              rows && <ImportRowList rows={rows.rows} currency={null} />
            )}
          </Panel>
        </div>
      )}
    </RecordPane>
  );
}

function factsOf(bankImport: BankImport): Parameters<typeof LabeledValueList>[0]['rows'] {
  const { rows, first_on, last_on } = bankImport;
  const verdicts = (['new', 'duplicate', 'failed', 'skipped'] as const).filter(
    (verdict) => rows[verdict] > 0,
  );
  return [
    [text.importedAt, <DateTime key="at" at={bankImport.at} />],
    [text.by, bankImport.user],
    [text.format, bankImport.dialect],
    [text.rowCounts, verdicts.map((verdict) => text.verdictCounts[verdict](rows[verdict])).join(', ')],
    first_on === null || last_on === null
      ? null
      : [text.bookingDates, `${formatDate(first_on)} – ${formatDate(last_on)}`],
    [text.fileSize, formatBytes(bankImport.bytes)],
    [
      text.sha256,
      <code key="sha256" className="bank-sha256">
        {bankImport.sha256}
      </code>,
    ],
  ];
}

const MAX_IMPORTS = 200;

/** Lists the imported bank files, newest first. */
export function BankImportList({ site }: { readonly site: Site }) {
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
      <Link onPress={() => openBankImport(id)}>{file}</Link>
      <span>
        {account.name} · {text.lineCount(rows.new)}
      </span>
      <span className="fineprint">
        <DateTime at={at} /> · {text.importStates[state]}
      </span>
    </li>
  );
}

/** Dialog for removing an import and all its lines. Requires a reason. */
export function RemoveBankImportDialog(props: {
  readonly site: string;
  readonly id: number;
  readonly lines: number;
}) {
  const { site, id, lines } = props;
  const client = useContractClient();
  return (
    <ReasonDialog
      site={site}
      title={text.removeTitle(id)}
      submitLabel={text.removeNow}
      placeholder={text.removePlaceholder}
      size="small"
      danger
      focusReason
      onSubmit={(reason) => client.bank.removeImport({ site, id, reason })}
      successText={() => text.removing(id)}
    >
      <p>{text.removeText(lines)}</p>
    </ReasonDialog>
  );
}
