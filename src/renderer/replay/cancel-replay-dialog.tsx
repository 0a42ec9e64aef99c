import { useState } from 'react';
import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { TextInput } from '../controls/form-fields.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { EnterKeyForm, FormDialog } from '../layout/form-dialog.tsx';
import { closeDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.replay;

/** Dialog that asks for confirmation before canceling a replay. It shows the webhooks that cannot be recalled. */
export function CancelReplayDialog({ site, job }: { readonly site: string; readonly job: string }) {
  const client = useContractClient();
  const [reason, setReason] = useState('');
  const { data: replay } = useQuery('replay.get', { site, job });
  const canceling = useAction(() =>
    client.replay.cancel({ site, job, ...(reason.trim() === '' ? {} : { reason: reason.trim() }) }),
  );
  const cancel = async () => {
    if (await canceling.run()) closeDialog();
  };
  return (
    <FormDialog
      title={text.stopTitle}
      cancelLabel={text.keepReplay}
      submitLabel={text.stopConfirm}
      danger
      action={canceling}
      onSubmit={cancel}
    >
      {replay ? (
        <ul className="cancel-facts">
          <li>{text.stopText.waiting(replay.counts.waiting)}</li>
          <li>
            <strong>{text.stopText.in_flight(replay.in_flight)}</strong>
          </li>
          <li>{text.stopText.rest}</li>
        </ul>
      ) : (
        <Skeleton lines={3} />
      )}
      <EnterKeyForm onSubmit={cancel}>
        <TextInput
          label={text.reason}
          value={reason}
          onChange={setReason}
          hint={text.reasonHint}
          autoFocus
          maxLength={500}
        />
      </EnterKeyForm>
    </FormDialog>
  );
}
