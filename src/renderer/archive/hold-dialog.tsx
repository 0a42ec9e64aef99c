import { useState } from 'react';
import { useClient } from '../backend/hooks.ts';
import { LongField } from '../controls/long-field.tsx';
import { ReasonDialog } from '../frame/reason-dialog.tsx';
import { words } from '../words/words.ts';

const text = words.archive.holding;

/** Holds documents back from deletion by a list of statements, of subscriptions, or of both. */
export function HoldDialog({ site, given }: { readonly site: string; readonly given: readonly number[] }) {
  const client = useClient();
  const [statements, setStatements] = useState(given.join(', '));
  const [subscriptions, setSubscriptions] = useState('');
  const lists = [readNumbers(statements), readNumbers(subscriptions)] as const;
  const stray = lists.map(({ stray }) => stray).find((word) => word !== null);
  const none = lists.every(({ numbers }) => numbers.length === 0);
  return (
    <ReasonDialog
      site={site}
      title={text.title}
      run={text.run}
      placeholder={text.placeholder}
      wrong={stray != null ? text.wrong(stray) : none ? text.none : null}
      first={given.length > 0}
      act={(reason) =>
        client.archive.hold({
          site,
          statements: lists[0].numbers,
          subscriptions: lists[1].numbers,
          reason,
        })
      }
      done={({ placed }) => text.done(placed)}
    >
      <p>{text.text}</p>
      <LongField
        label={text.statements}
        placeholder={text.statementsHint}
        value={statements}
        onChange={setStatements}
        onSubmit={() => undefined}
        rows={2}
        autoFocus={given.length === 0}
      />
      <LongField
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

/** The numbers of a list as people write it, each once, and the first word that is none. */
export function readNumbers(list: string): { numbers: number[]; stray: string | null } {
  const parts = list.split(/[\s,;]+/).filter(Boolean);
  const stray = parts.find((part) => !/^\d{1,15}$/.test(part)) ?? null;
  return { numbers: [...new Set(parts.map(Number).filter(Number.isSafeInteger))], stray };
}
