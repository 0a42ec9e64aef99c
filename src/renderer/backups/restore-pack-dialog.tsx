import { CircleCheck, Lock } from 'lucide-react';
import { useState } from 'react';
import type { DecisionDifference } from '../../contract/index.ts';
import { PathField } from '../archive/path-field.tsx';
import { useAction, useContractClient, useLatestOnlyAction } from '../backend-client/backend-hooks.ts';
import { Money } from '../controls/formatted-values.tsx';
import { MultilineField } from '../controls/multiline-field.tsx';
import { ProgressIndicator } from '../controls/progress-indicator.tsx';
import { StatusLabel } from '../controls/status-label.tsx';
import { DataTable } from '../controls/table-head.tsx';
import { FormDialog } from '../layout/form-dialog.tsx';
import { closeDialog, showNotice } from '../navigation/window-state.ts';
import { formatMonth } from '../texts/date-times.ts';
import { formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';

const text = texts.backups.pack;

/** Dialog that verifies an evidence pack, compares its decisions with the books, and restores missing decisions. */
export function RestoreEvidencePackDialog({ site }: { readonly site: string }) {
  const client = useContractClient();
  const [path, setPath] = useState('');
  const [reason, setReason] = useState('');
  const comparing = useLatestOnlyAction(() => client.packs.compareDecisions({ site, path: path.trim() }));
  const restoring = useAction((shown: string) =>
    client.packs.restoreDecisions({ site, path: path.trim(), fingerprint: shown, reason: reason.trim() }),
  );
  const change = (to: string) => {
    setPath(to);
    comparing.reset();
    restoring.reset();
  };
  const difference = comparing.done;
  const restore = async () => {
    if (difference === null || findBlockedReason(difference, reason) !== null) return;
    const done = await restoring.run(difference.fingerprint);
    if (done === null) return;
    closeDialog();
    showNotice(text.restored(done.restored), 'good');
  };
  const busy = comparing.running || restoring.running;
  return (
    <FormDialog
      title={text.title}
      size="wide"
      dismissable={!busy}
      site={site}
      {...(difference === null
        ? {
            submitLabel: text.look,
            action: comparing,
            disabledReason: path.trim() === '' ? text.pathNeeded : null,
            onSubmit: comparing.run,
          }
        : {
            submitLabel: text.restore,
            action: restoring,
            disabledReason: findBlockedReason(difference, reason),
            onSubmit: restore,
          })}
    >
      <p>{text.text}</p>
      <PathField label={text.path} value={path} onChange={change} autoFocus />
      {busy && (
        <ProgressIndicator label={comparing.running ? text.reading : text.restoring} done={0} total={null} />
      )}
      {difference && <DecisionsComparison difference={difference} />}
      {difference && difference.missing > 0 && !difference.locked && (
        <MultilineField
          label={texts.reason.label}
          placeholder={text.example}
          value={reason}
          onChange={setReason}
          onSubmit={() => void restore()}
          maxLength={2000}
        />
      )}
    </FormDialog>
  );
}

/** Returns the reason why the decisions cannot be restored now, or null if they can be restored. */
function findBlockedReason({ missing, locked, pack }: DecisionDifference, reason: string): string | null {
  if (locked) return text.locked(formatMonth(pack.period));
  if (missing === 0) return text.nothing;
  return reason.trim() === '' ? texts.reason.missing : null;
}

const states = ['same', 'missing', 'different', 'not_stored'] as const;
const tones = { same: 'none', missing: 'restored', different: 'changed', not_stored: 'lost' } as const;

function DecisionsComparison({ difference }: { readonly difference: DecisionDifference }) {
  const { pack, parts, missing, locked } = difference;
  const listed = parts.flatMap(({ part, items }) =>
    items.map((item, at) => ({ id: `${part} ${at}`, ...item })),
  );
  return (
    <>
      <StatusLabel
        tone={locked ? 'warn' : 'good'}
        icon={locked ? Lock : CircleCheck}
        text={
          locked ? text.locked(formatMonth(pack.period)) : text.intact(formatMonth(pack.period), pack.made_by)
        }
      />
      <DataTable
        label={text.grid}
        titles={[texts.backups.records, ...states.map((state) => ({ end: text.states[state] }))]}
        rows={parts.map((part) => ({
          key: part.part,
          cells: [
            text.parts[part.part],
            ...states.map((state) => (
              <span key={state} className={`backups-${part[state] === 0 ? 'none' : tones[state]}`}>
                {formatCount(part[state])}
              </span>
            )),
          ],
        }))}
      />
      {missing === 0 && <p className="fineprint">{text.nothing}</p>}
      {listed.length > 0 && (
        <ul className="backups-items backups-decisions" aria-label={text.list}>
          {listed.map(({ id, state, text: what, reason: why, amount_in_cents, currency, user }) => (
            <li key={id}>
              <span className={`backups-change backups-${tones[state]}`}>{text.states[state]}</span>
              <span className="backups-what">
                {what}
                {why !== null && <small>{why}</small>}
              </span>
              {amount_in_cents !== null && currency !== null && (
                <Money cents={amount_in_cents} currency={currency} />
              )}
              <small>{user}</small>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
