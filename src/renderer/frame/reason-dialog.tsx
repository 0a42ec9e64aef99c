import { type ReactNode, useState } from 'react';
import { useAction } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { LongField } from '../controls/long-field.tsx';
import { Dialog } from '../controls/overlay.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { closeDialog, notify } from '../view/view.ts';
import { words } from '../words/words.ts';

const text = words.reason;

interface ReasonDialogProps<T> {
  readonly site: string;
  readonly title: string;
  /** What the button says that does it. */
  readonly run: string;
  readonly placeholder: string;
  readonly size?: 'small' | 'regular' | 'wide';
  readonly danger?: boolean;
  /** Why it cannot be done yet, besides a reason that is missing; null where it can. */
  readonly wrong?: string | null;
  /** Whether the reason is the first thing to type. */
  readonly first?: boolean;
  readonly children: ReactNode;
  readonly act: (reason: string) => Promise<T>;
  readonly done: (result: T) => string;
}

/** A decision with the reason that goes on record. */
export function ReasonDialog<T>(props: ReasonDialogProps<T>) {
  const { site, title, run, placeholder, danger = false, wrong = null, first = false } = props;
  const [reason, setReason] = useState('');
  const acting = useAction(async (why: string) => ({ result: await props.act(why) }));
  const missing = wrong ?? (reason.trim() === '' ? text.missing : null);
  const submit = async () => {
    if (missing !== null) return;
    const done = await acting.run(reason.trim());
    if (!done) return;
    closeDialog();
    notify(props.done(done.result), 'good');
  };
  return (
    <Dialog
      title={title}
      size={props.size ?? 'regular'}
      onClose={closeDialog}
      dismissable={reason === ''}
      footer={
        <>
          <Button onPress={closeDialog}>{words.controls.cancel}</Button>
          <Button
            kind={danger ? 'danger' : 'primary'}
            pending={acting.running}
            reason={missing}
            onPress={() => void submit()}
          >
            {run}
          </Button>
        </>
      }
    >
      {props.children}
      <LongField
        label={text.label}
        placeholder={placeholder}
        value={reason}
        onChange={setReason}
        onSubmit={() => void submit()}
        maxLength={2000}
        autoFocus={first}
      />
      {acting.error && <ErrorNote error={acting.error} site={site} />}
    </Dialog>
  );
}
