import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { BooksChange, BooksDifference, ContractInputs } from '../../contract/index.ts';
import { useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { DateTime, LabeledValueList, Money } from '../controls/formatted-values.tsx';
import { Panel } from '../controls/panel.tsx';
import { DataTable } from '../controls/table-head.tsx';
import { ReasonDialog } from '../layout/reason-dialog.tsx';
import { RecordPane } from '../list-screen/record-pane.tsx';
import { navigate, openDialog } from '../navigation/window-state.ts';
import { formatDateTime, formatMonth } from '../texts/date-times.ts';
import { formatBytes, formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';

const text = texts.backups;

/** Shows the details of a backup and the effect of restoring it. */
export function BackupDetail({ site, from }: { readonly site: string; readonly from: BackupSource }) {
  return (
    <RecordPane
      title={text.difference}
      labelOf={({ copy }) => text.detail(formatDateTime(copy.made_at))}
      query={useQuery('backups.compare', { site, from })}
      notFoundText={text.notStored}
      head={({ copy }) => <h2>{text.detail(formatDateTime(copy.made_at))}</h2>}
    >
      {(difference) => <BackupDifference difference={difference} from={from} />}
    </RecordPane>
  );
}

function BackupDifference({ difference, from }: { difference: BooksDifference; from: BackupSource }) {
  const { copy, same, unlocks, fingerprint } = difference;
  const when = formatDateTime(copy.made_at);
  return (
    <div className="detail-body">
      <LabeledValueList
        sideBySide
        rows={[
          [text.facts.reason, text.reasons[copy.reason]],
          [text.facts.size, formatBytes(copy.bytes)],
          [text.facts.entries, copy.entries === null ? null : formatCount(copy.entries)],
          [text.facts.last, copy.last_at === null ? null : <DateTime key="last" at={copy.last_at} />],
        ]}
      />
      <Warnings difference={difference} />
      <Panel
        title={text.difference}
        aside={
          <Button
            kind="danger"
            disabledReason={same ? text.sameReason : unlocks.length > 0 ? text.lockedReason : null}
            onPress={() => openDialog({ kind: 'restoreBooks', from, fingerprint, when })}
          >
            {text.restore}
          </Button>
        }
      >
        {same ? (
          <p className="backups-same">
            <CircleCheck size={15} aria-hidden="true" />
            {text.same}
          </p>
        ) : (
          <DifferenceTable parts={difference.parts.filter(hasChanges)} />
        )}
      </Panel>
      {difference.parts
        .filter(({ items }) => items.length > 0)
        .map((part) => (
          <ChangeList key={part.part} part={part} />
        ))}
    </div>
  );
}

function Warnings({ difference }: { readonly difference: BooksDifference }) {
  const { damage, anchor, audit_problem, unlocks } = difference;
  const warnings = [
    damage === null ? null : text.damage(damage),
    damage === null || anchor === null
      ? null
      : text.recordedAuditLength(anchor.entries, formatDateTime(anchor.at)),
    audit_problem === null ? null : text.auditProblem(audit_problem),
    unlocks.length === 0 ? null : text.unlocks(unlocks.map((month) => formatMonth(month)).join(', ')),
  ].filter((line) => line !== null);
  if (warnings.length === 0) return null;
  return (
    <div className="callout callout-warn">
      <TriangleAlert size={16} aria-hidden="true" />
      <div>
        {warnings.map((line) => (
          <span key={line}>{line}</span>
        ))}
      </div>
    </div>
  );
}

type Part = BooksDifference['parts'][number];

const hasChanges = ({ lost, restored: back, changed }: Part): boolean =>
  lost !== 0 || back !== 0 || changed !== 0;

function DifferenceTable({ parts }: { readonly parts: readonly Part[] }) {
  return (
    <DataTable
      titles={[text.records, { end: text.lost }, { end: text.restoredCount }, { end: text.changed }]}
      rows={parts.map(({ part, lost, restored, changed }) => ({
        key: part,
        cells: [
          text.parts[part],
          <ChangeCount key="lost" count={lost} tone="backups-lost" />,
          <ChangeCount key="restored" count={restored} tone="backups-restored" />,
          <ChangeCount key="changed" count={changed} tone="backups-changed" />,
        ],
      }))}
    />
  );
}

function ChangeCount({ count, tone }: { readonly count: number | null; readonly tone: string }) {
  return (
    <span className={count ? tone : 'backups-none'}>
      {count === null ? text.notKnown : formatCount(count)}
    </span>
  );
}

function ChangeList({ part }: { readonly part: Part }) {
  const more = (part.lost ?? 0) + (part.restored ?? 0) + (part.changed ?? 0) - part.items.length;
  return (
    <Panel title={text.parts[part.part]}>
      <ul className="backups-items">
        {part.items.map((change) => (
          <ChangeItem key={`${change.change} ${change.id}`} change={change} />
        ))}
      </ul>
      {more > 0 && <p className="fineprint">{text.more(more)}</p>}
    </Panel>
  );
}

function ChangeItem({ change }: { readonly change: BooksChange }) {
  const { change: how, text: what, amount_in_cents, currency, at, user } = change;
  return (
    <li>
      <span className={`backups-change backups-${how}`}>{text.changes[how]}</span>
      <span className="backups-what">{what}</span>
      {amount_in_cents !== null && currency !== null && <Money cents={amount_in_cents} currency={currency} />}
      <small>
        {at !== null && <DateTime at={at} />} {user}
      </small>
    </li>
  );
}

interface RestoreBackupDialogProps {
  readonly site: string;
  readonly from: BackupSource;
  /** Fingerprint of the comparison that the user saw. The backend refuses to restore after any change. */
  readonly fingerprint: string;
  readonly when: string;
}

/** Dialog for replacing the books with a backup. */
export function RestoreBackupDialog({ site, from, fingerprint: shown, when }: RestoreBackupDialogProps) {
  const client = useContractClient();
  return (
    <ReasonDialog
      site={site}
      title={text.restoreTitle(when)}
      submitLabel={text.restoreNow}
      placeholder={text.restoreExample}
      size="small"
      danger
      focusReason
      onSubmit={async (reason) => {
        await client.backups.restore({ site, from, fingerprint: shown, reason });
        navigate({ screen: 'backups', item: null });
      }}
      successText={() => text.restored}
    >
      <p>{text.restoreText}</p>
    </ReasonDialog>
  );
}

export type BackupSource = ContractInputs['backups']['compare']['from'];

const PATH_PREFIX = 'file:';

/** Returns the route item for a backup file outside the backup folder. */
export const toBackupRouteItem = (path: string): string => PATH_PREFIX + path;

/** Returns the backup that a route item identifies. */
export function toBackupSource(item: string): BackupSource {
  return item.startsWith(PATH_PREFIX) ? { path: item.slice(PATH_PREFIX.length) } : { name: item };
}
