import { useState } from 'react';
import { useAction, useClient, useQuery } from '../backend/hooks.ts';
import { Button } from '../controls/button.tsx';
import { Field } from '../controls/field.tsx';
import { Dialog } from '../controls/overlay.tsx';
import { Skeleton } from '../controls/pieces.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { closeDialog } from '../view/view.ts';
import { words } from '../words/words.ts';

const text = words.replay;

/** Ends a replay, after saying what that cannot undo. */
export function CancelReplayDialog({ site, job }: { readonly site: string; readonly job: string }) {
  const client = useClient();
  const [reason, setReason] = useState('');
  const { data: replay } = useQuery('replay.get', { site, job });
  const cancelling = useAction(() =>
    client.replay.cancel({ site, job, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) }),
  );
  const cancel = async () => {
    if (await cancelling.run()) closeDialog();
  };
  return (
    <Dialog
      title={text.stopTitle}
      onClose={closeDialog}
      footer={
        <>
          <Button onPress={closeDialog}>{text.keep}</Button>
          <Button kind="danger" onPress={() => void cancel()} pending={cancelling.running}>
            {text.stopConfirm}
          </Button>
        </>
      }
    >
      {replay ? (
        <ul className="cancel-facts">
          <li>{text.stopText.waiting(replay.counts.waiting)}</li>
          <li>
            <strong>{text.stopText.underway(replay.underway)}</strong>
          </li>
          <li>{text.stopText.rest}</li>
        </ul>
      ) : (
        <Skeleton lines={3} />
      )}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void cancel();
        }}
      >
        <Field
          label={text.reason}
          value={reason}
          onChange={setReason}
          hint={text.reasonHint}
          autoFocus
          maxLength={500}
        />
      </form>
      {cancelling.error && <ErrorNote error={cancelling.error} />}
    </Dialog>
  );
}
