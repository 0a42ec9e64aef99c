import { CircleCheck, Lock } from 'lucide-react';
import { useState } from 'react';
import type { DecisionsDifference } from '../../contract/index.ts';
import { PathField } from '../archive/path-field.tsx';
import { useAction, useContractClient, useLatestAction } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { MultilineField } from '../controls/multiline-field.tsx';
import { ProgressIndicator } from '../controls/progress-indicator.tsx';
import { StatusLabel } from '../controls/status-label.tsx';
import { Money } from '../controls/values.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { closeDialog, showNotice } from '../navigation/window-state.ts';
import { formatMonth } from '../texts/moments.ts';
import { formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';

const text = texts.backups.pack;

/** Dialog that verifies an evidence pack, compares its decisions with the books, and restores missing decisions. */
export function RestorePackDialog({ site }: { readonly site: string }) {
  const client = useContractClient();
  const [path, setPath] = useState('');
  const [reason, setReason] = useState('');
  const comparing = useLatestAction(() => client.packs.compareDecisions({ site, path: path.trim() }));
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
    <Dialog
      title={text.title}
      size="wide"
      onClose={closeDialog}
      dismissable={!busy}
      footer={
        <>
          <Button onPress={closeDialog}>{texts.controls.cancel}</Button>
          {difference === null ? (
            <Button
              kind="primary"
              isPending={comparing.running}
              disabledReason={path.trim() === '' ? text.pathNeeded : null}
              onPress={() => void comparing.run()}
            >
              {text.look}
            </Button>
          ) : (
            <Button
              kind="primary"
              isPending={restoring.running}
              disabledReason={findBlockedReason(difference, reason)}
              onPress={() => void restore()}
            >
              {text.restore}
            </Button>
          )}
        </>
      }
    >
      <p>{text.text}</p>
      <PathField label={text.path} value={path} onChange={change} autoFocus />
      {busy && (
        <ProgressIndicator label={comparing.running ? text.reading : text.restoring} done={0} total={null} />
      )}
      {comparing.error && <ErrorMessage error={comparing.error} site={site} />}
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
      {restoring.error && <ErrorMessage error={restoring.error} site={site} />}
    </Dialog>
  );
}

/** Returns the reason why the decisions cannot be restored now, or null if they can be restored. */
function findBlockedReason({ missing, locked, pack }: DecisionsDifference, reason: string): string | null {
  if (locked) return text.locked(formatMonth(pack.period));
  if (missing === 0) return text.nothing;
  return reason.trim() === '' ? texts.reason.missing : null;
}

const states = ['same', 'missing', 'different', 'not_stored'] as const;
const tones = { same: 'none', missing: 'restored', different: 'changed', not_stored: 'lost' } as const;

function DecisionsComparison({
  difference: { pack, parts, missing, locked },
}: {
  readonly difference: DecisionsDifference;
}) {
  const listed = parts.flatMap(({ part, items }) =>
    items.map((item, at) => ({ id: `${part} ${at}`, ...item })),
  );
  return (
    <>
      <StatusLabel tone={locked ? 'warn' : 'good'} icon={locked ? Lock : CircleCheck}>
        {locked ? text.locked(formatMonth(pack.period)) : text.intact(formatMonth(pack.period), pack.made_by)}
      </StatusLabel>
      <table className="table" aria-label={text.grid}>
        <thead>
          <tr>
            <th scope="col">{texts.backups.records}</th>
            {states.map((state) => (
              <th key={state} scope="col" className="table-end">
                {text.states[state]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <tr key={part.part}>
              <th scope="row">{text.parts[part.part]}</th>
              {states.map((state) => (
                <td key={state} className={`table-end backups-${part[state] === 0 ? 'none' : tones[state]}`}>
                  {formatCount(part[state])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
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
