import { useState } from 'react';
import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { TextInput } from '../controls/form-fields.tsx';
import { MultilineField } from '../controls/multiline-field.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { closeDialog, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.matching.manual;

interface WriteOffProps {
  readonly site: string;
  readonly lines: readonly number[];
  readonly transactions: readonly number[];
}

/** Dialog for writing off the unmatched amounts of bank lines and payments to a category. Requires a reason. */
export function WriteOffDialog({ site, lines, transactions }: WriteOffProps) {
  const client = useContractClient();
  const { data: categories = [] } = useQuery('match.categories', { site });
  const [category, setCategory] = useState('');
  const [reason, setReason] = useState('');
  const writingOff = useAction(() =>
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
    const groups = await writingOff.run();
    if (!groups) return;
    closeDialog();
    const ids = groups.map(({ id }) => id);
    showNotice(text.writtenOff(ids.length), 'good', async () => {
      await client.match.undo({ site, ids, reason: texts.matching.undoReason });
      showNotice(texts.matching.undone(ids.length), 'good');
    });
  };
  return (
    <Dialog
      title={text.writeOffTitle(lines.length, transactions.length)}
      onClose={closeDialog}
      dismissable={category === '' && reason === ''}
      footer={
        <>
          <Button onPress={closeDialog}>{texts.controls.cancel}</Button>
          <Button
            kind="primary"
            isPending={writingOff.running}
            disabledReason={missing ? texts.reason.missing : null}
            onPress={() => void run()}
          >
            {text.writeOffNow}
          </Button>
        </>
      }
    >
      <p>{text.writeOffText}</p>
      <TextInput label={text.category} value={category} onChange={setCategory} maxLength={40} autoFocus />
      <fieldset className="assignee-known" aria-label={text.category}>
        {categories.slice(0, 10).map((each) => (
          <Button
            key={each.category}
            size="small"
            isPressed={each.category === category}
            onPress={() => setCategory(each.category)}
          >
            {each.category}
          </Button>
        ))}
      </fieldset>
      <MultilineField
        label={texts.reason.label}
        value={reason}
        onChange={setReason}
        onSubmit={() => void run()}
        maxLength={2000}
      />
      {writingOff.error && <ErrorMessage error={writingOff.error} site={site} />}
    </Dialog>
  );
}
