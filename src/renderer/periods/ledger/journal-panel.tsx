import { Download, Plus, Sparkles } from 'lucide-react';
import { useMemo, useState } from 'react';
import type { JournalEntry } from '../../../contract/index.ts';
import { useAction, useContractClient, useQuery } from '../../backend-client/backend-hooks.ts';
import { Button } from '../../controls/button.tsx';
import { SelectField, ToggleSwitch } from '../../controls/form-fields.tsx';
import { Panel } from '../../controls/panel.tsx';
import { Skeleton } from '../../controls/skeleton.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { SortableTable, type TableColumn } from '../../grid/sortable-table/sortable-table.tsx';
import { ReasonDialog } from '../../layout/reason-dialog.tsx';
import { openDialog, showNotice } from '../../navigation/window-state.ts';
import { formatDate } from '../../texts/date-times.ts';
import { texts } from '../../texts/texts.ts';
import { saveFile } from '../../window-shell/save-file.ts';
import { createCentsColumn, createTextColumn } from './ledger-columns.tsx';

const text = texts.generalLedger.journal;
const { closed } = texts.generalLedger;
const titles = text.columns;

/** A line of a journal entry. The first line of an entry also shows the entry. */
type JournalLine = JournalEntry['lines'][number] & {
  readonly id: string;
  readonly currency: string;
  readonly entry: JournalEntry;
  readonly isFirst: boolean;
};

const toLines = (entry: JournalEntry): JournalLine[] =>
  entry.lines.map((line, at) => ({
    ...line,
    id: `${entry.id}-${at}`,
    currency: entry.currency,
    entry,
    isFirst: at === 0,
  }));

const describeState = ({ state, posted_on }: JournalEntry) =>
  posted_on === null ? text.states[state] : text.postedOn(posted_on);

/** Returns the remarks on a journal entry: its memo, reversal and repetition, and reasons against approval. */
const listRemarks = ({ memo, blocker, reverses_on, repeats, repeats_until, reason }: JournalEntry) =>
  [
    memo,
    reverses_on === null ? null : text.reversesOn(reverses_on),
    repeats === null ? null : text.repeats(repeats_until),
    blocker,
    reason,
  ].filter((remark) => remark !== null);

/** Omits the sort value, because sorting would separate the lines of an entry. */
const unsorted = ({ sortValue: _, ...column }: TableColumn<JournalLine>): TableColumn<JournalLine> => column;
const entryColumn = (id: string, title: string, read: (entry: JournalEntry) => string) =>
  createTextColumn<JournalLine>(id, title, ({ entry, isFirst }) => (isFirst ? read(entry) : ''));

function createColumns(approve: (entries: readonly JournalEntry[]) => void, isClosed: boolean) {
  const columns: TableColumn<JournalLine>[] = [
    entryColumn('entry', titles.entry, ({ number, id }) => text.nameOf(number, id)),
    entryColumn('state', titles.state, describeState),
    entryColumn('on', titles.on, ({ dated_on }) => formatDate(dated_on)),
    createTextColumn('account', titles.account, ({ account, name }) => `${account} ${name ?? ''}`.trim()),
    createCentsColumn('debit', titles.debit, ({ debit_in_cents }) => debit_in_cents),
    createCentsColumn('credit', titles.credit, ({ credit_in_cents }) => credit_in_cents),
    entryColumn('memo', titles.memo, (entry) => listRemarks(entry).join(' · ')),
    {
      id: 'actions',
      title: '',
      cell: ({ entry, isFirst }) =>
        isFirst && !isClosed && <EntryActions entry={entry} onApprove={() => approve([entry])} />,
      copy: () => ({ text: '' }),
    },
  ];
  return columns.map(unsorted);
}

interface EntryActionsProps {
  readonly entry: JournalEntry;
  readonly onApprove: () => void;
}

function EntryActions({ entry, onApprove }: EntryActionsProps) {
  const { state, blocker } = entry;
  return (
    <>
      {state === 'proposed' && (
        <Button kind="quiet" size="small" disabledReason={blocker} onPress={onApprove}>
          {text.approveOne}
        </Button>
      )}
      {state !== 'posted' && state !== 'discarded' && (
        <Button kind="quiet" size="small" onPress={() => openDialog({ kind: 'discardJournalEntry', entry })}>
          {text.discard}
        </Button>
      )}
    </>
  );
}

interface JournalPanelProps {
  readonly site: string;
  readonly period: string;
  readonly isClosed: boolean;
}

/** Panel for proposing, approving and exporting the journal entries of a period. */
export function JournalPanel({ site, period, isClosed }: JournalPanelProps) {
  const client = useContractClient();
  const { data, error } = useQuery('journal.list', { site, period });
  const proposing = useAction(async () => {
    const entries = await client.journal.propose({ site, period });
    showNotice(text.proposed(entries.length), 'good');
  });
  const approving = useAction(async (entries: readonly JournalEntry[]) => {
    await client.journal.approve({ site, ids: entries.map(({ id }) => id) });
    showNotice(text.approved(entries.length), 'good');
  });
  const { run: approve } = approving;
  const columns = useMemo(
    () => createColumns((entries) => void approve(entries), isClosed),
    [approve, isClosed],
  );
  const lines = useMemo(() => (data ?? []).flatMap(toLines), [data]);
  const ready = (data ?? []).filter(({ state, blocker }) => state === 'proposed' && blocker === null);
  const failed = error ?? proposing.error ?? approving.error;
  return (
    <Panel level={2} title={text.title}>
      <p className="prose">{text.lead}</p>
      <div className="report-formats">
        <Button
          kind="primary"
          icon={Sparkles}
          isPending={proposing.running}
          disabledReason={isClosed ? closed : null}
          onPress={() => void proposing.run()}
        >
          {text.propose}
        </Button>
        <Button
          icon={Plus}
          disabledReason={isClosed ? closed : null}
          onPress={() => openDialog({ kind: 'addJournalEntry', period })}
        >
          {text.add}
        </Button>
        <Button
          isPending={approving.running}
          disabledReason={isClosed ? closed : ready.length === 0 ? text.nothingToApprove : null}
          onPress={() => void approve(ready)}
        >
          {text.approve(ready.length)}
        </Button>
      </div>
      {!data && !error && <Skeleton />}
      {data?.length === 0 && <p>{text.empty}</p>}
      {lines.length > 0 && (
        <SortableTable label={text.title} columns={columns} rows={lines} idOf={({ id }) => id} />
      )}
      <JournalExport site={site} period={period} />
      {failed && <ErrorMessage error={failed} site={site} />}
    </Panel>
  );
}

type JournalFormat = keyof typeof text.formats;
const formatOptions = Object.entries(text.formats).map(([value, label]) => ({
  value: value as JournalFormat,
  label,
}));

/** Exports the approved entries of a period as a file for an accounting system. */
function JournalExport({ site, period }: Omit<JournalPanelProps, 'isClosed'>) {
  const client = useContractClient();
  const [format, setFormat] = useState<JournalFormat>('quickbooks');
  const [again, setAgain] = useState(false);
  const exporting = useAction(async () => {
    const { name, text: content } = await client.journal.export({ site, period, format, again });
    await saveFile({ bytes: new TextEncoder().encode(content), name, type: 'text/csv' });
  });
  return (
    <div className="ledger-form">
      <SelectField label={text.format} value={format} onChange={setFormat} options={formatOptions} />
      <ToggleSwitch on={again} onChange={setAgain}>
        {text.exportAgain}
      </ToggleSwitch>
      <Button icon={Download} isPending={exporting.running} onPress={() => void exporting.run()}>
        {text.export}
      </Button>
      {exporting.error && <ErrorMessage error={exporting.error} site={site} />}
    </div>
  );
}

interface DiscardEntryProps {
  readonly site: string;
  readonly entry: JournalEntry;
}

/** Dialog for discarding a journal entry. Requires a reason. */
export function DiscardJournalEntryDialog({ site, entry: { id, number } }: DiscardEntryProps) {
  const client = useContractClient();
  return (
    <ReasonDialog
      site={site}
      title={text.discardTitle(text.nameOf(number, id))}
      submitLabel={text.discard}
      placeholder={text.discardPlaceholder}
      size="small"
      danger
      focusReason
      onSubmit={(reason) => client.journal.discard({ site, ids: [id], reason })}
      successText={() => text.discarded}
    >
      <p>{text.discardText}</p>
    </ReasonDialog>
  );
}
