import { useState } from 'react';
import { useAction, useClient } from '../backend/hooks.ts';
import { Button } from '../controls/Button.tsx';
import { LongField } from '../controls/LongField.tsx';
import { Dialog } from '../controls/Overlay.tsx';
import { ErrorNote } from '../errors/ErrorNote.tsx';
import { closeDialog, notify } from '../view/view.ts';
import { words } from '../words/words.ts';

const text = words.bank;

interface RemoveImportProps {
  readonly site: string;
  readonly id: number;
  readonly lines: number;
}

/** Takes an import back as a whole, with the reason. */
export function RemoveImportDialog({ site, id, lines }: RemoveImportProps) {
  const client = useClient();
  const [reason, setReason] = useState('');
  const removing = useAction((why: string) => client.bank.removeImport({ site, id, reason: why }));
  const missing = reason.trim() === '';
  const run = async () => {
    if (missing || !(await removing.run(reason.trim()))) return;
    closeDialog();
    notify(text.removedNote(id), 'good');
  };
  return (
    <Dialog
      title={text.removeTitle(id)}
      size="small"
      onClose={closeDialog}
      dismissable={missing}
      footer={
        <>
          <Button onPress={closeDialog}>{text.cancel}</Button>
          <Button
            kind="danger"
            pending={removing.running}
            reason={missing ? text.reasonMissing : null}
            onPress={() => void run()}
          >
            {text.removeNow}
          </Button>
        </>
      }
    >
      <p>{text.removeText(lines)}</p>
      <LongField
        label={text.removeReason}
        placeholder={text.removePlaceholder}
        value={reason}
        onChange={setReason}
        onSubmit={() => void run()}
        maxLength={2000}
        autoFocus
      />
      {removing.error && <ErrorNote error={removing.error} site={site} />}
    </Dialog>
  );
}
