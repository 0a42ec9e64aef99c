import { CircleCheck, ScrollText, ShieldAlert, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import type { AuditEntry, ContractOutputs, Site } from '../../contract/index.ts';
import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { TextInput } from '../controls/form-fields.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { ListEmptyState, ListScreen } from '../list-screen/list-screen.tsx';
import { useScreenList } from '../list-screen/use-screen-list.ts';
import { useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { auditColumns } from './audit-columns.tsx';
import { AuditEntryDetail } from './audit-entry-detail.tsx';
import { createAuditFilterFields } from './audit-filter-fields.ts';
import { TimeStampForm } from './time-stamp-form.tsx';
import './audit.css';

const text = texts.audit;
const sortKeys = ['seq'] as const;
const idOf = (entry: AuditEntry) => entry.seq;

/** Screen that lists and verifies the audit log. */
export function AuditScreen({ site }: { readonly site: Site }) {
  const client = useContractClient();
  const item = useWindowState((state) => state.route.item);
  const { data: facets } = useQuery('audit.facets', { site: site.site });
  const list = useScreenList({
    screen: 'audit',
    site: site.site,
    procedure: 'audit.list',
    sortKeys,
    idOf,
    isDetailOpen: item !== null,
  });
  const verifying = useAction((knownHash: string | null) =>
    client.audit.verify({ site: site.site, ...(knownHash === null ? {} : { known_hash: knownHash }) }),
  );
  return (
    <ListScreen
      screen="audit"
      title={text.title}
      actions={
        <Button
          kind="primary"
          icon={ShieldCheck}
          isPending={verifying.running}
          onPress={() => void verifying.run(null)}
        >
          {text.verify}
        </Button>
      }
      header={
        <>
          {verifying.error && <ErrorMessage error={verifying.error} site={site.site} />}
          {verifying.done && (
            <AuditVerdict
              site={site}
              verdict={verifying.done}
              onVerify={(hash) => void verifying.run(hash)}
            />
          )}
        </>
      }
      list={list}
      searchLabel={text.search}
      fields={createAuditFilterFields(facets)}
      label={text.grid}
      columns={auditColumns}
      empty={<ListEmptyState screen="audit" icon={ScrollText} text={text} action={null} />}
      singular="entry"
      plural="entries"
      statusBar={<span>{text.fineprint}</span>}
      detail={item === null ? null : <AuditEntryDetail site={site} seq={Number(item)} />}
      detailWidth={440}
    />
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
