import { useState } from 'react';
import type { AllocationChange, AllocationChangeEvidence } from '../../contract/index.ts';
import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { useCommandContext } from '../commands/use-command-context.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { TextInput } from '../controls/form-fields.tsx';
import { DateTime, LabeledValueList } from '../controls/formatted-values.tsx';
import { Panel } from '../controls/panel.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { announceToScreenReader, closeDialog, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { AllocationChangeStatus, ProrationSchemeDescription } from './allocation-status.tsx';

import './allocations.css';

const text = texts.changes;
const titles = text.changeFacts;
const activeStates: readonly string[] = ['running', 'paused'];

interface DraftChangeDialogProps {
  readonly site: string;
  readonly draft: string;
  readonly ordinal: number;
}

/** Dialog that shows one drafted change. An undecided outcome comes with its evidence and a decision to make. */
export function DraftChangeDialog({ site, draft, ordinal }: DraftChangeDialogProps) {
  const client = useContractClient();
  const { unavailableReason } = useCommandContext();
  const { data: draftData } = useQuery('allocations.getDraft', { site, draft });
  const { data: change } = useQuery('allocations.getChange', { site, draft, ordinal });
  const [reason, setReason] = useState('');
  const verifying = useAction(() => client.allocations.look({ site, draft, ordinal }));
  const deciding = useAction((as: 'applied' | 'not_applied') =>
    client.allocations.decide({ site, draft, ordinal, as, reason: reason.trim() }),
  );
  const needsDecision =
    change !== undefined &&
    change.problem === null &&
    (change.outcome === 'undecided' ||
      ((change.outcome === 'verifying' || change.outcome === 'sending') &&
        !activeStates.includes(draftData?.state ?? 'running')));
  const decide = async (as: 'applied' | 'not_applied') => {
    const decided = await deciding.run(as);
    if (decided) closeWithNotice(text.outcomes[decided.outcome]);
  };
  const verify = async () => {
    const verified = await verifying.run();
    if (!verified) return;
    if (verified.outcome === 'applied' || verified.outcome === 'not_applied')
      closeWithNotice(verified.evidence?.verdict ?? '');
    else announceToScreenReader(verified.evidence?.verdict ?? text.outcomes[verified.outcome]);
  };
  function closeWithNotice(message: string): void {
    closeDialog();
    showNotice(message);
  }
  const missingReason = reason.trim() === '' ? text.reasonMissing : null;
  return (
    <Dialog
      title={change ? text.changeOf(change) : text.changeOne}
      size="wide"
      onClose={closeDialog}
      footer={
        needsDecision ? (
          <>
            <Button
              isPending={verifying.running}
              disabledReason={unavailableReason}
              onPress={() => void verify()}
            >
              {text.verifyAgain}
            </Button>
            <span className="push" />
            <Button
              disabledReason={missingReason}
              isPending={deciding.running}
              onPress={() => void decide('not_applied')}
            >
              {text.markNotApplied}
            </Button>
            <Button
              kind="primary"
              disabledReason={missingReason}
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
      {needsDecision && (
        <TextInput label={text.reason} value={reason} onChange={setReason} maxLength={2000} required />
      )}
      {verifying.error && <ErrorMessage error={verifying.error} site={site} />}
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
      <LabeledValueList
        rows={[
          [titles.change, change.quantity === null ? null : text.line(change)],
          [titles.scheme, <ProrationSchemeDescription key="scheme" change={change} />],
          [titles.memo, change.memo],
          change.line === null ? null : [titles.file, String(change.line)],
          change.raw === null ? null : [titles.raw, <code key="raw">{change.raw}</code>],
          [
            titles.outcome,
            <span key="outcome" className="change-outcome">
              <AllocationChangeStatus change={change} />
              {resolved_by !== null && <span className="fineprint">{text.resolutions[resolved_by]}</span>}
            </span>,
          ],
          applied === null
            ? null
            : [titles.recorded, <DateTime key="at" at={applied.timestamp} precision="second" />],
        ]}
      />
      {drafted !== now && <p className="callout callout-warn">{text.quantityChanged(drafted, now)}</p>}
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

function EvidencePanel({ evidence }: { readonly evidence: AllocationChangeEvidence }) {
  const { before, after, entries, verdict } = evidence;
  return (
    <Panel title={text.evidence}>
      <p>{verdict}</p>
      <LabeledValueList
        rows={[
          [text.before, text.historySummary(before.count, before.equal, before.quantity)],
          after === null ? null : [text.after, text.historySummary(after.count, after.equal, after.quantity)],
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

/** Adds a list key to each entry. Entries have no id, so the key is the content plus a counter for duplicates. */
function addKeys<Entry extends AllocationChangeEvidence['entries'][number]>(entries: readonly Entry[]) {
  const counts = new Map<string, number>();
  return entries.map((entry) => {
    const content = JSON.stringify(entry);
    const count = (counts.get(content) ?? 0) + 1;
    counts.set(content, count);
    return { entry, key: `${content} ${count}` };
  });
}
