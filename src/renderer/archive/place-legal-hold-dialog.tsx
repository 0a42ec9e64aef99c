import { useState } from 'react';
import type { ArchiveHold } from '../../contract/index.ts';
import { useContractClient } from '../backend-client/backend-hooks.ts';
import { MultilineField } from '../controls/multiline-field.tsx';
import { ReasonDialog } from '../layout/reason-dialog.tsx';
import { texts } from '../texts/texts.ts';
import { formatLegalHoldTarget } from './retention-panel.tsx';

const text = texts.archive.holdDialog;

/** Dialog for placing a legal hold on statements or on entire subscriptions. */
export function PlaceLegalHoldDialog({
  site,
  initialStatements,
}: {
  readonly site: string;
  readonly initialStatements: readonly number[];
}) {
  const client = useContractClient();
  const [statements, setStatements] = useState(initialStatements.join(', '));
  const [subscriptions, setSubscriptions] = useState('');
  const lists = [parseStatementIdList(statements), parseStatementIdList(subscriptions)] as const;
  const invalidWord = lists.map(({ invalidWord }) => invalidWord).find((word) => word !== null);
  const isEmpty = lists.every(({ ids }) => ids.length === 0);
  return (
    <ReasonDialog
      site={site}
      title={text.title}
      submitLabel={text.run}
      placeholder={text.placeholder}
      blockedReason={invalidWord != null ? text.wrong(invalidWord) : isEmpty ? text.none : null}
      focusReason={initialStatements.length > 0}
      onSubmit={(reason) =>
        client.archive.hold({
          site,
          statements: lists[0].ids,
          subscriptions: lists[1].ids,
          reason,
        })
      }
      successText={({ placed }) => text.done(placed)}
    >
      <p>{text.text}</p>
      <MultilineField
        label={text.statements}
        placeholder={text.statementsHint}
        value={statements}
        onChange={setStatements}
        onSubmit={() => undefined}
        rows={2}
        autoFocus={initialStatements.length === 0}
      />
      <MultilineField
        label={text.subscriptions}
        placeholder={text.statementsHint}
        value={subscriptions}
        onChange={setSubscriptions}
        onSubmit={() => undefined}
        rows={2}
      />
    </ReasonDialog>
  );
}

/** Parses a list of ids and removes duplicates. `invalidWord` is the first word that is not an id. */
export function parseStatementIdList(list: string): { ids: number[]; invalidWord: string | null } {
  const parts = list.split(/[\s,;]+/).filter(Boolean);
  const invalidWord = parts.find((part) => !/^\d{1,15}$/.test(part)) ?? null;
  return { ids: [...new Set(parts.map(Number).filter(Number.isSafeInteger))], invalidWord };
}

export function ReleaseLegalHoldDialog({
  site,
  hold,
}: {
  readonly site: string;
  readonly hold: ArchiveHold;
}) {
  const client = useContractClient();
  const { title, run, placeholder, text: explanation, done } = texts.archive.releaseDialog;
  return (
    <ReasonDialog
      site={site}
      title={title(formatLegalHoldTarget(hold))}
      submitLabel={run}
      placeholder={placeholder}
      size="small"
      focusReason
      onSubmit={(reason) => client.archive.release({ site, holds: [hold.hold], reason })}
      successText={() => done}
    >
      <p>{explanation}</p>
    </ReasonDialog>
  );
}
