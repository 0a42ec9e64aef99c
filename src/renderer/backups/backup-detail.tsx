import { CircleCheck, TriangleAlert } from 'lucide-react';
import type { BookChange, BooksDifference } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Button } from '../controls/button.tsx';
import { Panel } from '../controls/panel.tsx';
import { TableHead } from '../controls/table-head.tsx';
import { DateTime, FactList, Money } from '../controls/values.tsx';
import { DetailPlaceholder } from '../layout/detail-placeholder.tsx';
import { DetailPane } from '../layout/screen.tsx';
import { openDialog } from '../navigation/window-state.ts';
import { formatDateTime, formatMonth } from '../texts/moments.ts';
import { formatBytes, formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import type { BackupSource } from './backup-source.ts';

const text = texts.backups;

/** Shows the details of a backup and the effect of restoring it. */
export function BackupDetail({ site, from }: { readonly site: string; readonly from: BackupSource }) {
  const { data: difference, error, loading } = useQuery('backups.compare', { site, from });
  const actions = <CommandButton id="view.closeDetail" kind="quiet" iconOnly />;
  if (!difference || (error && !loading)) {
    return (
      <DetailPlaceholder
        title={text.difference}
        actions={actions}
        error={error}
        notFoundText={text.notStored}
      />
    );
  }
  const { copy, same } = difference;
  const when = formatDateTime(copy.made_at);
  return (
    <DetailPane label={text.detail(when)} actions={actions} head={<h2>{text.detail(when)}</h2>}>
      <div className="detail-body">
        <FactList
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
              disabledReason={
                same ? text.sameReason : difference.unlocks.length > 0 ? text.lockedReason : null
              }
              onPress={() =>
                openDialog({ kind: 'restoreBooks', from, fingerprint: difference.fingerprint, when })
              }
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
    </DetailPane>
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
    <table className="table">
      <TableHead
        titles={[text.records, { end: text.lost }, { end: text.restoredCount }, { end: text.changed }]}
      />
      <tbody>
        {parts.map(({ part, lost, restored: back, changed }) => (
          <tr key={part}>
            <th scope="row">{text.parts[part]}</th>
            <CountCell of={lost} tone="backups-lost" />
            <CountCell of={back} tone="backups-restored" />
            <CountCell of={changed} tone="backups-changed" />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function CountCell({ of, tone }: { readonly of: number | null; readonly tone: string }) {
  const countText = of === null ? text.notKnown : formatCount(of);
  return <td className={`table-end ${of === 0 || of === null ? 'backups-none' : tone}`}>{countText}</td>;
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

function ChangeItem({ change }: { readonly change: BookChange }) {
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
