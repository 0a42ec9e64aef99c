import { type ReactNode, useState } from 'react';
import { useAction } from '../backend/hooks.ts';
import { Button } from '../controls/Button.tsx';
import { LongField } from '../controls/LongField.tsx';
import { Dialog } from '../controls/Overlay.tsx';
import { ErrorNote } from '../errors/ErrorNote.tsx';
import { closeDialog, notify } from '../view/view.ts';

interface ReasonDialogProps {
  readonly site: string;
  readonly title: string;
  /** What will be done. */
  readonly children: ReactNode;
  readonly words: {
    readonly label: string;
    readonly placeholder: string;
    /** Said while there is no reason yet. */
    readonly missing: string;
    readonly cancel: string;
    readonly run: string;
    readonly done: string;
  };
  readonly run: (reason: string) => Promise<unknown>;
}

/** Takes something back as a whole, with the reason that goes on record. */
export function ReasonDialog({ site, title, children, words, run }: ReasonDialogProps) {
  const [reason, setReason] = useState('');
  const acting = useAction(async (why: string) => {
    await run(why);
    return true;
  });
  const missing = reason.trim() === '';
  const act = async () => {
    if (missing || !(await acting.run(reason.trim()))) return;
    closeDialog();
    notify(words.done, 'good');
  };
  return (
    <Dialog
      title={title}
      size="small"
      onClose={closeDialog}
      dismissable={missing}
      footer={
        <>
          <Button onPress={closeDialog}>{words.cancel}</Button>
          <Button
            kind="danger"
            pending={acting.running}
            reason={missing ? words.missing : null}
            onPress={() => void act()}
          >
            {words.run}
          </Button>
        </>
      }
    >
      <p>{children}</p>
      <LongField
        label={words.label}
        placeholder={words.placeholder}
        value={reason}
        onChange={setReason}
        onSubmit={() => void act()}
        maxLength={2000}
        autoFocus
      />
      {acting.error && <ErrorNote error={acting.error} site={site} />}
    </Dialog>
  );
}
