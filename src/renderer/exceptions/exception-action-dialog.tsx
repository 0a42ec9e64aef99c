import { useState } from 'react';
import type { BackendClient } from '../../contract/index.ts';
import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { TextInput } from '../controls/form-fields.tsx';
import { MultilineField } from '../controls/multiline-field.tsx';
import { FormDialog } from '../layout/form-dialog.tsx';
import { closeDialog, type ExceptionAction, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { prepareExceptionUndo, splitIntoBatches } from './exception-undo.ts';

interface ExceptionActionDialogProps {
  readonly site: string;
  readonly act: ExceptionAction;
  readonly ids: readonly number[];
  /** Formatted total amount at stake, or null if it is zero. */
  readonly stake: string | null;
  readonly onDone: () => void;
}

/** Dialog for accepting, reopening, assigning, or commenting on one or more exceptions. */
export function ExceptionActionDialog({ site, act, ids, stake, onDone }: ExceptionActionDialogProps) {
  const client = useContractClient();
  const text = texts.exceptions.dialogs[act];
  const [typed, setTyped] = useState('');
  const acting = useAction(async (entered: string) => {
    const undo = await prepareExceptionUndo(client, site, act, ids);
    for (const batch of splitIntoBatches(ids)) await applyAction(client, act, { site, ids: batch }, entered);
    return { undo };
  });
  const missing = act !== 'assign' && typed.trim() === '';
  const run = async () => {
    if (missing) return;
    const done = await acting.run(typed.trim());
    if (!done) return;
    closeDialog();
    onDone();
    showNotice(text.done(ids.length), 'good', done.undo);
  };
  return (
    <FormDialog
      title={text.title(ids.length)}
      dismissable={typed === ''}
      submitLabel={text.submit(ids.length)}
      disabledReason={missing ? texts.exceptions.textRequired : null}
      action={acting}
      site={site}
      onSubmit={run}
    >
      {stake !== null && <p className="act-stake">{texts.exceptions.totalAtStake(stake)}</p>}
      <p>{text.text(ids.length)}</p>
      {act === 'assign' ? (
        <AssigneeField site={site} value={typed} onChange={setTyped} onSubmit={() => void run()} />
      ) : (
        <MultilineField
          label={text.label}
          placeholder={text.placeholder}
          value={typed}
          onChange={setTyped}
          onSubmit={() => void run()}
          maxLength={act === 'comment' ? 10_000 : 2000}
          autoFocus
        />
      )}
    </FormDialog>
  );
}

function applyAction(
  client: BackendClient,
  act: ExceptionAction,
  exceptions: { readonly site: string; readonly ids: number[] },
  entered: string,
) {
  switch (act) {
    case 'accept':
      return client.exceptions.accept({ ...exceptions, reason: entered });
    case 'reopen':
      return client.exceptions.reopen({ ...exceptions, reason: entered });
    case 'assign':
      return client.exceptions.assign({ ...exceptions, assigned: entered === '' ? null : entered });
    case 'comment':
      return client.comments.add({
        site: exceptions.site,
        subjects: exceptions.ids.map((id) => ({ kind: 'exception', id: String(id) })),
        text: entered,
      });
  }
}

interface AssigneeFieldProps {
  readonly site: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onSubmit: () => void;
}

function AssigneeField({ site, value, onChange, onSubmit }: AssigneeFieldProps) {
  const { data: assignees = [] } = useQuery('exceptions.assignees', { site });
  const { label, placeholder } = texts.exceptions.dialogs.assign;
  return (
    <form
      className="assignee"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <TextInput
        label={label}
        placeholder={placeholder}
        value={value}
        onChange={onChange}
        maxLength={200}
        autoFocus
      />
      {assignees.length > 0 && (
        <fieldset className="assignee-known" aria-label={texts.exceptions.previousAssignees}>
          {assignees.slice(0, 8).map(({ assigned }) => (
            <Button
              key={assigned}
              size="small"
              isPressed={assigned === value}
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
