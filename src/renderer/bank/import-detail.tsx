import type { BankImport, Site } from '../../contract/index.ts';
import { useAction, useBackend, useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Button } from '../controls/button.tsx';
import { Panel } from '../controls/pieces.tsx';
import { saveBytes } from '../controls/save.ts';
import { Facts, Moment } from '../controls/values.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { DetailPending } from '../frame/detail-pending.tsx';
import { Detail } from '../frame/screen.tsx';
import { openDialog, setFilter } from '../view/view.ts';
import { dateText } from '../words/moments.ts';
import { bytesText } from '../words/numbers.ts';
import { words } from '../words/words.ts';
import { PlanRows } from './plan-rows.tsx';

const text = words.bank;
const MOST = 500;

/** One import: what the file was, what became of each row, and the way to take it back. */
export function ImportDetail({ site, id }: { readonly site: Site; readonly id: number }) {
  const { data: known, error, loading } = useQuery('bank.getImport', { site: site.site, id });
  const { data: rows } = useQuery('bank.importRows', { site: site.site, id, limit: MOST });
  const { connection } = useBackend();
  const saving = useAction(async () => {
    const file = await connection.client.bank.source({ site: site.site, id });
    saveBytes(await connection.readBlob(file.blob), file.name, file.type);
  });
  const actions = <CommandButton id="view.closeDetail" kind="quiet" bare />;
  if (!known || (error && !loading)) {
    return (
      <DetailPending
        title={text.importDetail(id)}
        actions={actions}
        error={error}
        notHeld={text.importNotHeld}
      />
    );
  }
  return (
    <Detail
      label={text.importDetail(id)}
      actions={actions}
      head={
        <>
          <h2>{known.file}</h2>
          <p>
            <span>{known.account.name}</span>
            <span>{text.importStates[known.state]}</span>
          </p>
        </>
      }
    >
      <div className="detail-body">
        {known.removed && (
          <p className="callout">{text.removedBecause(known.removed.who, known.removed.reason)}</p>
        )}
        <div className="decisions">
          <Button onPress={() => setFilter('bank', { import: id })}>{text.showLines}</Button>
          <Button pending={saving.running} onPress={() => void saving.run()}>
            {text.saveFile}
          </Button>
          {known.state === 'done' && (
            <Button
              kind="danger"
              onPress={() => openDialog({ kind: 'removeImport', id, lines: known.rows.new })}
            >
              {text.removeImport}
            </Button>
          )}
        </div>
        {saving.error && <ErrorNote error={saving.error} />}
        <Facts rows={factsOf(known)} />
        <Panel title={text.rejected}>
          {rows?.rows.length === 0 ? (
            <p className="fineprint">{text.noneRejected}</p>
          ) : (
            rows && <PlanRows rows={rows.rows} currency={null} />
          )}
        </Panel>
      </div>
    </Detail>
  );
}

function factsOf(known: BankImport): Parameters<typeof Facts>[0]['rows'] {
  const { rows, first_on, last_on } = known;
  const verdicts = (['new', 'duplicate', 'failed', 'skipped'] as const).filter(
    (verdict) => rows[verdict] > 0,
  );
  return [
    [text.importedAt, <Moment key="at" at={known.at} />],
    [text.by, known.who],
    [text.dialect, known.dialect],
    [text.rowsOf, verdicts.map((verdict) => text.verdictCounts[verdict](rows[verdict])).join(', ')],
    first_on === null || last_on === null
      ? null
      : [text.span, `${dateText(first_on)} – ${dateText(last_on)}`],
    [text.fileSize, bytesText(known.bytes)],
    [
      text.sha256,
      <code key="sha256" className="bank-sha256">
        {known.sha256}
      </code>,
    ],
  ];
}
