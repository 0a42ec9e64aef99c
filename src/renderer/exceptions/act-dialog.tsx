import { useState } from 'react';
import type { Client } from '../../contract/index.ts';
import { useAction, useClient, useQuery } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { Field } from '../controls/field.tsx';
import { LongField } from '../controls/long-field.tsx';
import { Dialog } from '../controls/overlay.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { closeDialog, type ExceptionAct, notify } from '../view/view.ts';
import { words } from '../words/words.ts';
import { undoOf } from './undo.ts';

/** The most that one call takes. */
const AT_ONCE = 1000;

interface ActDialogProps {
  readonly site: string;
  readonly act: ExceptionAct;
  readonly ids: readonly number[];
  /** What they come to, where that is more than nothing. */
  readonly stake: string | null;
  readonly onDone: () => void;
}

/** One decision about one or many exceptions, with the words it needs. */
export function ActDialog({ site, act, ids, stake, onDone }: ActDialogProps) {
  const client = useClient();
  const text = words.exceptions.dialogs[act];
  const [typed, setTyped] = useState('');
  const acting = useAction(async (said: string) => {
    const undo = await undoOf(client, site, act, ids);
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      await perform(client, site, act, ids.slice(from, from + AT_ONCE), said);
    }
    return { undo };
  });
  const missing = act !== 'assign' && typed.trim() === '';
  const run = async () => {
    if (missing) return;
    const done = await acting.run(typed.trim());
    if (!done) return;
    closeDialog();
    onDone();
    notify(text.done(ids.length), 'good', done.undo);
  };
  return (
    <Dialog
      title={text.title(ids.length)}
      onClose={closeDialog}
      dismissable={typed === ''}
      footer={
        <>
          <Button onPress={closeDialog}>{words.controls.cancel}</Button>
          <Button
            kind="primary"
            pending={acting.running}
            reason={missing ? words.exceptions.needed : null}
            onPress={() => void run()}
          >
            {text.run(ids.length)}
          </Button>
        </>
      }
    >
      {stake !== null && <p className="act-stake">{words.exceptions.inAll(stake)}</p>}
      <p>{text.text(ids.length)}</p>
      {act === 'assign' ? (
        <Assignee site={site} value={typed} onChange={setTyped} onSubmit={() => void run()} />
      ) : (
        <LongField
          label={text.label}
          placeholder={text.placeholder}
          value={typed}
          onChange={setTyped}
          onSubmit={() => void run()}
          maxLength={act === 'comment' ? 10_000 : 2000}
          autoFocus
        />
      )}
      {acting.error && <ErrorNote error={acting.error} site={site} />}
    </Dialog>
  );
}

function perform(client: Client, site: string, act: ExceptionAct, ids: number[], said: string) {
  switch (act) {
    case 'accept':
      return client.exceptions.accept({ site, ids, reason: said });
    case 'reopen':
      return client.exceptions.reopen({ site, ids, reason: said });
    case 'assign':
      return client.exceptions.assign({ site, ids, assigned: said === '' ? null : said });
    case 'comment':
      return client.exceptions.comment({ site, ids, text: said });
  }
}

interface AssigneeProps {
  readonly site: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onSubmit: () => void;
}

function Assignee({ site, value, onChange, onSubmit }: AssigneeProps) {
  const { data: known = [] } = useQuery('exceptions.assignees', { site });
  const { label, placeholder } = words.exceptions.dialogs.assign;
  return (
    <form
      className="assignee"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Field
        label={label}
        placeholder={placeholder}
        value={value}
        onChange={onChange}
        maxLength={200}
        autoFocus
      />
      {known.length > 0 && (
        <fieldset className="assignee-known" aria-label={words.exceptions.earlier}>
          {known.slice(0, 8).map(({ assigned }) => (
            <Button
              key={assigned}
              size="small"
              pressed={assigned === value}
              onPress={() => onChange(assigned)}
            >
              {assigned}
            </Button>
          ))}
        </fieldset>
      )}
    </form>
  );
}
