import { useState } from 'react';
import { useAction, useClient, useQuery } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { Field } from '../controls/field.tsx';
import { LongField } from '../controls/long-field.tsx';
import { Dialog } from '../controls/overlay.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { closeDialog, notify } from '../view/view.ts';
import { words } from '../words/words.ts';

const text = words.matching.hand;

interface WriteOffProps {
  readonly site: string;
  readonly lines: readonly number[];
  readonly transactions: readonly number[];
}

/** Puts what is open of lines and payments down to a category, with the reason. */
export function WriteOffDialog({ site, lines, transactions }: WriteOffProps) {
  const client = useClient();
  const { data: known = [] } = useQuery('match.categories', { site });
  const [category, setCategory] = useState('');
  const [reason, setReason] = useState('');
  const writing = useAction(() =>
    client.match.writeOff({
      site,
      lines: [...lines],
      transactions: [...transactions],
      category: category.trim(),
      reason: reason.trim(),
    }),
  );
  const missing = category.trim() === '' || reason.trim() === '';
  const run = async () => {
    if (missing) return;
    const groups = await writing.run();
    if (!groups) return;
    closeDialog();
    const ids = groups.map(({ id }) => id);
    notify(text.writtenOff(ids.length), 'good', async () => {
      await client.match.undo({ site, ids, reason: words.matching.noteUndo });
      notify(words.matching.undone(ids.length), 'good');
    });
  };
  return (
    <Dialog
      title={text.writeOffTitle(lines.length, transactions.length)}
      onClose={closeDialog}
      dismissable={category === '' && reason === ''}
      footer={
        <>
          <Button onPress={closeDialog}>{words.controls.cancel}</Button>
          <Button
            kind="primary"
            pending={writing.running}
            reason={missing ? words.reason.missing : null}
            onPress={() => void run()}
          >
            {text.writeOffNow}
          </Button>
        </>
      }
    >
      <p>{text.writeOffText}</p>
      <Field label={text.category} value={category} onChange={setCategory} maxLength={40} autoFocus />
      <fieldset className="assignee-known" aria-label={text.category}>
        {known.slice(0, 10).map((each) => (
          <Button
            key={each.category}
            size="small"
            pressed={each.category === category}
            onPress={() => setCategory(each.category)}
          >
            {each.category}
          </Button>
        ))}
      </fieldset>
      <LongField
        label={words.reason.label}
        value={reason}
        onChange={setReason}
        onSubmit={() => void run()}
        maxLength={2000}
      />
      {writing.error && <ErrorNote error={writing.error} site={site} />}
    </Dialog>
  );
}
