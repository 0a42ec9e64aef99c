import { useState } from 'react';
import { useContractClient } from '../backend-client/backend-hooks.ts';
import { MultilineField } from '../controls/multiline-field.tsx';
import { ReasonDialog } from '../layout/reason-dialog.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.archive.holdDialog;

/** Dialog that places a legal hold on statements or on whole subscriptions. */
export function HoldDialog({ site, given }: { readonly site: string; readonly given: readonly number[] }) {
  const client = useContractClient();
  const [statements, setStatements] = useState(given.join(', '));
  const [subscriptions, setSubscriptions] = useState('');
  const lists = [parseNumbers(statements), parseNumbers(subscriptions)] as const;
  const stray = lists.map(({ stray }) => stray).find((word) => word !== null);
  const isEmpty = lists.every(({ numbers }) => numbers.length === 0);
  return (
    <ReasonDialog
      site={site}
      title={text.title}
      submitLabel={text.run}
      placeholder={text.placeholder}
      blockedReason={stray != null ? text.wrong(stray) : isEmpty ? text.none : null}
      focusReason={given.length > 0}
      onSubmit={(reason) =>
        client.archive.hold({
          site,
          statements: lists[0].numbers,
          subscriptions: lists[1].numbers,
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
        autoFocus={given.length === 0}
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

/** Parses a list of distinct ids. `stray` is the first word that is not an id. */
export function parseNumbers(list: string): { numbers: number[]; stray: string | null } {
  const parts = list.split(/[\s,;]+/).filter(Boolean);
  const stray = parts.find((part) => !/^\d{1,15}$/.test(part)) ?? null;
  return { numbers: [...new Set(parts.map(Number).filter(Number.isSafeInteger))], stray };
}
