import { useState } from 'react';
import type { AllocationChange, ChangeEvidence } from '../../contract/index.ts';
import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { useCommandContext } from '../commands/use-command-context.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { TextInput } from '../controls/form-fields.tsx';
import { Panel } from '../controls/panel.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { DateTime, FactList } from '../controls/values.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { announce, closeDialog, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { ChangeStatus } from './change-status.tsx';
import { SchemeDescription } from './scheme-description.tsx';

import './allocations.css';

const text = texts.changes;
const titles = text.oneFacts;
const activeStates: readonly string[] = ['running', 'paused'];

interface ChangeDialogProps {
  readonly site: string;
  readonly draft: string;
  readonly ordinal: number;
}

/** One change of a draft: what it would do, what became of it, and, where that cannot be told, the evidence and the choice. */
export function ChangeDialog({ site, draft, ordinal }: ChangeDialogProps) {
  const client = useContractClient();
  const { unavailableReason } = useCommandContext();
  const { data: of } = useQuery('allocations.getDraft', { site, draft });
  const { data: change } = useQuery('allocations.getChange', { site, draft, ordinal });
  const [reason, setWhy] = useState('');
  const looking = useAction(() => client.allocations.look({ site, draft, ordinal }));
  const deciding = useAction((as: 'applied' | 'not_applied') =>
    client.allocations.decide({ site, draft, ordinal, as, reason: reason.trim() }),
  );
  const open =
    change !== undefined &&
    change.problem === null &&
    (change.outcome === 'undecided' ||
      ((change.outcome === 'looking' || change.outcome === 'sending') &&
        !activeStates.includes(of?.state ?? 'running')));
  const decide = async (as: 'applied' | 'not_applied') => {
    const decided = await deciding.run(as);
    if (decided) leave(text.outcomes[decided.outcome]);
  };
  const look = async () => {
    const looked = await looking.run();
    if (!looked) return;
    if (looked.outcome === 'applied' || looked.outcome === 'not_applied')
      leave(looked.evidence?.verdict ?? '');
    else announce(looked.evidence?.verdict ?? text.outcomes[looked.outcome]);
  };
  /** Decided: back to where the change was opened. */
  function leave(told: string): void {
    closeDialog();
    showNotice(told);
  }
  const unsaid = reason.trim() === '' ? text.whyMissing : null;
  return (
    <Dialog
      title={change ? text.changeOf(change) : text.changeOne}
      size="wide"
      onClose={closeDialog}
      footer={
        open ? (
          <>
            <Button
              isPending={looking.running}
              disabledReason={unavailableReason}
              onPress={() => void look()}
            >
              {text.look}
            </Button>
            <span className="push" />
            <Button
              disabledReason={unsaid}
              isPending={deciding.running}
              onPress={() => void decide('not_applied')}
            >
              {text.markNot}
            </Button>
            <Button
              kind="primary"
              disabledReason={unsaid}
              isPending={deciding.running}
              onPress={() => void decide('applied')}
            >
              {text.markApplied}
            </Button>
          </>
        ) : (
          <Button onPress={closeDialog}>{text.close}</Button>
        )
      }
    >
      {change ? <ChangeFacts change={change} /> : <Skeleton lines={6} />}
      {open && <TextInput label={text.reason} value={reason} onChange={setWhy} maxLength={2000} required />}
      {looking.error && <ErrorMessage error={looking.error} site={site} />}
      {deciding.error && <ErrorMessage error={deciding.error} site={site} />}
    </Dialog>
  );
}

function ChangeFacts({ change }: { readonly change: AllocationChange }) {
  const {
    drafted_quantity: drafted,
    current_quantity: now,
    applied,
    resolved_by,
    error,
    problem_text,
  } = change;
  return (
    <>
      <FactList
        rows={[
          [titles.change, change.quantity === null ? null : text.line(change)],
          [titles.scheme, <SchemeDescription key="scheme" change={change} />],
          [titles.memo, change.memo],
          change.line === null ? null : [titles.file, String(change.line)],
          change.raw === null ? null : [titles.raw, <code key="raw">{change.raw}</code>],
          [
            titles.outcome,
            <span key="outcome" className="change-outcome">
              <ChangeStatus change={change} />
              {resolved_by !== null && <span className="fineprint">{text.hows[resolved_by]}</span>}
            </span>,
          ],
          applied === null
            ? null
            : [titles.recorded, <DateTime key="at" at={applied.timestamp} precision="second" />],
        ]}
      />
      {drafted !== now && <p className="callout callout-warn">{text.meanwhileOne(drafted, now)}</p>}
      {problem_text !== null && <p className="callout callout-warn">{problem_text}</p>}
      {error !== null && <ErrorMessage error={error} />}
      {change.evidence !== null && <EvidencePanel evidence={change.evidence} />}
      {change.requests.length > 0 && (
        <Panel title={text.requests}>
          <ul className="change-list">
            {change.requests.map((request) => (
              <li key={request.request}>
                {text.request(request.request, text.requestStates[request.state])}{' '}
                <span className="fineprint">
                  <DateTime at={request.posted_at} precision="second" /> {request.error}
                </span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </>
  );
}

function EvidencePanel({ evidence }: { readonly evidence: ChangeEvidence }) {
  const { before, after, entries, verdict } = evidence;
  return (
    <Panel title={text.evidence}>
      <p>{verdict}</p>
      <FactList
        rows={[
          [text.before, text.sight(before.count, before.equal, before.quantity)],
          after === null ? null : [text.after, text.sight(after.count, after.equal, after.quantity)],
        ]}
      />
      {entries.length > 0 && (
        <>
          <h4>{text.entries}</h4>
          <ul className="change-list">
            {addKeys(entries).map(({ entry, key }) => (
              <li key={key}>
                <DateTime at={entry.timestamp} precision="second" />{' '}
                {text.entry(entry.previous_quantity, entry.quantity, entry.memo)}
              </li>
            ))}
          </ul>
        </>
      )}
    </Panel>
  );
}

/** An allocation has no id: what it says tells it, and of several alike its place among them. */
function addKeys<Entry extends ChangeEvidence['entries'][number]>(entries: readonly Entry[]) {
  const alike = new Map<string, number>();
  return entries.map((entry) => {
    const said = JSON.stringify(entry);
    const place = (alike.get(said) ?? 0) + 1;
    alike.set(said, place);
    return { entry, key: `${said} ${place}` };
  });
}
