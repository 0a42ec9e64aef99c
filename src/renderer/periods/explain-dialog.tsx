import { useState } from 'react';
import type { Inputs, OpenItem } from '../../contract/index.ts';
import { isCalendarDate } from '../../domain/ledger/dates.ts';
import { useAction, useClient, useQuery } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { Field } from '../controls/field.tsx';
import { LongField } from '../controls/long-field.tsx';
import { Dialog } from '../controls/overlay.tsx';
import { Moment } from '../controls/values.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { closeDialog, notify } from '../view/view.ts';
import { moneyText } from '../words/money.ts';
import { words } from '../words/words.ts';

const text = words.periods.items;

interface ExplainProps {
  readonly site: string;
  readonly period: string;
  readonly items: readonly OpenItem[];
}

type Said = Pick<Inputs['periods']['explain'], 'category' | 'owner' | 'explanation' | 'expected_on'>;

/** What is said of outstanding items: for one, beginning with what was said; for several, what is filled in is said of all. */
export function ExplainDialog({ site, period, items }: ExplainProps) {
  const client = useClient();
  const [only] = items;
  const before = items.length === 1 && only !== undefined ? only : null;
  const [category, setCategory] = useState(before?.category ?? '');
  const [owner, setOwner] = useState(before?.owner ?? '');
  const [explanation, setExplanation] = useState(before?.explanation ?? '');
  const [expected, setExpected] = useState(before?.expected_on ?? '');
  const said: Said = {
    ...changed('category', category, before?.category),
    ...changed('owner', owner, before?.owner),
    ...changed('explanation', explanation, before?.explanation),
    ...changed('expected_on', expected, before?.expected_on),
  };
  const badDate = expected !== '' && !isCalendarDate(expected);
  const nothing = Object.keys(said).length === 0;
  const acting = useAction(() =>
    client.periods.explain({ site, period, items: items.map(({ key }) => key), ...said }),
  );
  const run = async () => {
    if (nothing || badDate || !(await acting.run())) return;
    closeDialog();
    notify(text.saved(items.length), 'good');
  };
  return (
    <Dialog
      title={text.dialogTitle(items.length)}
      onClose={closeDialog}
      dismissable={nothing}
      footer={
        <>
          <Button onPress={closeDialog}>{words.controls.cancel}</Button>
          <Button
            kind="primary"
            pending={acting.running}
            reason={badDate ? text.badDate : nothing ? text.nothing : null}
            onPress={() => void run()}
          >
            {text.save}
          </Button>
        </>
      }
    >
      <p>
        {before === null
          ? text.dialogText
          : `${before.text}: ${moneyText(before.amount_in_cents, before.currency)}`}
      </p>
      <LongField
        label={text.explanation}
        placeholder={text.explanationHint}
        value={explanation}
        onChange={setExplanation}
        onSubmit={() => void run()}
        maxLength={2000}
        autoFocus
      />
      <div className="explain-pair">
        <Field
          label={text.category}
          hint={text.categoryHint}
          value={category}
          onChange={setCategory}
          maxLength={40}
        />
        <Field label={text.owner} hint={text.ownerHint} value={owner} onChange={setOwner} maxLength={100} />
      </div>
      <Field
        label={text.expected}
        hint={text.expectedHint}
        value={expected}
        onChange={setExpected}
        maxLength={10}
        error={badDate ? text.badDate : null}
      />
      {before !== null && <History site={site} item={before.key} />}
      {acting.error && <ErrorNote error={acting.error} site={site} />}
    </Dialog>
  );
}

/** What differs from what was said; taken away where it is empty now. */
function changed<Name extends keyof Said>(
  name: Name,
  typed: string,
  before: string | null | undefined,
): Partial<Record<Name, string | null>> {
  const value = typed.trim();
  if (value === (before ?? '')) return {};
  return { [name]: value === '' ? null : value } as Partial<Record<Name, string | null>>;
}

function History({ site, item }: { readonly site: string; readonly item: string }) {
  const { data } = useQuery('periods.explained', { site, items: [item] });
  const history = data?.[0]?.history ?? [];
  if (history.length === 0) return null;
  return (
    <div className="explain-history">
      <h3>{text.history}</h3>
      <ol>
        {history.map((entry) => (
          <li key={entry.at}>
            <Moment at={entry.at} /> {entry.who}:{' '}
            {[entry.category, entry.owner, entry.explanation, entry.expected_on].filter(Boolean).join(' · ')}
          </li>
        ))}
      </ol>
    </div>
  );
}
