import { CircleCheck, ScrollText, ShieldAlert, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import type { AuditEntry, ContractOutputs, Site } from '../../contract/index.ts';
import { useAction, useContractClient } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { TextInput } from '../controls/form-fields.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { ColumnChooser } from '../grid/columns/column-chooser.tsx';
import type { GridColumn } from '../grid/columns/column-layout.ts';
import { createColumnFactories } from '../grid/columns/value-columns.tsx';
import { usePagedList } from '../grid/lists/use-paged-list.ts';
import { StatusBar } from '../grid/summary/status-bar.tsx';
import { GridView } from '../grid/view/grid-view.tsx';
import { ScreenLayout } from '../layout/screen-layout.tsx';
import { texts } from '../texts/texts.ts';
import { TimeStampForm } from './time-stamp-form.tsx';
import './audit.css';

const text = texts.audit;
const idOf = (entry: AuditEntry) => entry.seq;

/** Screen that shows the audit log and verifies it. */
export function AuditScreen({ site }: { readonly site: Site }) {
  const client = useContractClient();
  const grid = usePagedList({
    name: 'audit',
    procedure: 'audit.list',
    query: { site: site.site },
    idOf,
  });
  const verifying = useAction((knownHash: string | null) =>
    client.audit.verify({ site: site.site, ...(knownHash === null ? {} : { known_hash: knownHash }) }),
  );
  return (
    <ScreenLayout
      title={text.title}
      actions={
        <>
          <ColumnChooser name="audit" columns={columns} />
          <Button
            kind="primary"
            icon={ShieldCheck}
            isPending={verifying.running}
            onPress={() => void verifying.run(null)}
          >
            {text.verify}
          </Button>
        </>
      }
    >
      {verifying.error && <ErrorMessage error={verifying.error} site={site.site} />}
      {verifying.done && (
        <AuditVerdict
          site={site}
          verdict={verifying.done}
          onVerify={(knownHash) => void verifying.run(knownHash)}
        />
      )}
      <GridView
        name="audit"
        label={text.grid}
        grid={grid}
        columns={columns}
        empty={<EmptyState icon={ScrollText} title={text.emptyTitle} text={text.emptyText} />}
      />
      <StatusBar grid={grid} singular="entry" plural="entries">
        <span>{text.fineprint}</span>
      </StatusBar>
    </ScreenLayout>
  );
}

interface VerdictProps {
  readonly site: Site;
  readonly verdict: ContractOutputs['audit']['verify'];
  /** Verifies the log again, and compares it with a known hash if one is given. */
  readonly onVerify: (knownHash: string | null) => void;
}

function AuditVerdict({ site, verdict, onVerify }: VerdictProps) {
  const { ok, entries, broken_at, reason, receipt, known_hash_seq, differences, time_stamps } = verdict;
  const Icon = ok ? CircleCheck : ShieldAlert;
  return (
    <div className={`callout audit-verdict ${ok ? 'callout-good' : 'callout-bad'}`} role="status">
      <Icon size={16} aria-hidden="true" />
      <div>
        <strong>
          {ok ? text.intact(entries) : broken_at === null ? text.brokenAnywhere : text.broken(broken_at)}
        </strong>
        <span>{ok ? text.intactText : reason}</span>
        {differences.map((difference) => (
          <span key={difference}>{difference}</span>
        ))}
        {ok && (
          <span className="audit-receipt" title={text.receiptHint}>
            {text.receipt}: <code>{receipt.hash}</code>
            <CopyButton text={receipt.hash} label={text.copyReceipt} />
          </span>
        )}
        {known_hash_seq !== null && <span>{text.knownHashFound(known_hash_seq)}</span>}
        {time_stamps.map((stamp) => (
          <span key={stamp.seq}>{text.describeTimeStamp(stamp)}</span>
        ))}
        {ok && <KnownHashForm onVerify={onVerify} />}
        {ok && <TimeStampForm site={site} onStamped={() => onVerify(null)} />}
      </div>
    </div>
  );
}

const HASH_PATTERN = /^[0-9a-f]{64}$/;

/** Form for comparing the log with a hash that was recorded outside this computer. */
function KnownHashForm({ onVerify }: Pick<VerdictProps, 'onVerify'>) {
  const [typed, setTyped] = useState('');
  const hash = typed.trim().toLowerCase();
  return (
    <form
      className="audit-known-hash"
      onSubmit={(event) => {
        event.preventDefault();
        if (HASH_PATTERN.test(hash)) onVerify(hash);
      }}
    >
      <TextInput label={text.knownHash} value={typed} onChange={setTyped} maxLength={80} />
      <Button type="submit" size="small" disabledReason={HASH_PATTERN.test(hash) ? null : text.invalidHash}>
        {text.compare}
      </Button>
    </form>
  );
}

/** Formats the details of an audit log entry on one line. */
function formatDetail(detail: AuditEntry['detail']): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ');
}

const titles = text.columns;
const column = createColumnFactories(titles);
const columns: readonly GridColumn<AuditEntry>[] = [
  column.id('seq', 64, 'seq', { alignEnd: true }),
  column.dateTime('at', 158, 'at'),
  column.text('user', 100, 'user'),
  {
    ...column.head('action', 184),
    cell: (entry) => (
      <span className="grid-strong" title={entry.action}>
        {text.action(entry.action)}
      </span>
    ),
    copy: (entry) => ({ text: entry.action }),
  },
  {
    ...column.head('subject', 150),
    cell: ({ action, subject }) => <span title={subject}>{text.subject(action, subject)}</span>,
    copy: ({ action, subject }) => ({ text: text.subject(action, subject) }),
  },
  column.text('subjectId', 150, 'subject', { startsHidden: true }),
  column.text('reason', 180, 'reason', { fillsSpace: true }),
  {
    ...column.head('detail', 220),
    cell: (entry) => (
      <span className="grid-quiet" title={formatDetail(entry.detail)}>
        {formatDetail(entry.detail)}
      </span>
    ),
    copy: (entry) => ({ text: JSON.stringify(entry.detail) }),
  },
  {
    ...column.head('hash', 200, { startsHidden: true }),
    cell: (entry) => <code className="grid-quiet">{entry.hash}</code>,
    copy: (entry) => ({ text: entry.hash }),
  },
];
