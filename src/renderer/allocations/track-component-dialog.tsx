import { useState } from 'react';
import { useAction, useContractClient } from '../backend-client/backend-hooks.ts';
import { useCommandContext } from '../commands/use-command-context.ts';
import { TextInput } from '../controls/form-fields.tsx';
import { EnterKeyForm, FormDialog } from '../layout/form-dialog.tsx';
import { closeDialog, navigate, showNotice } from '../navigation/window-state.ts';
import { formatQuantity } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';

const text = texts.allocations;

/** Dialog for adding a component that appears in no webhook and no statement. */
export function TrackComponentDialog({ site }: { readonly site: string }) {
  const client = useContractClient();
  const { unavailableReason } = useCommandContext();
  const [subscription, setSubscription] = useState('');
  const [component, setComponent] = useState('');
  const tracking = useAction((subscription_id: number, component_id: number) =>
    client.allocations.track({ site, subscription_id, component_id }),
  );
  const isInvalidId = (typed: string) => !/^\s*\d{1,15}\s*$/.test(typed);
  const track = async () => {
    if (isInvalidId(subscription) || isInvalidId(component)) return;
    const tracked = await tracking.run(Number(subscription), Number(component));
    if (!tracked) return;
    closeDialog();
    showNotice(text.tracked(tracked.quantity === null ? '–' : formatQuantity(tracked.quantity)), 'good');
    navigate({ screen: 'allocations', item: `${tracked.subscription_id}-${tracked.component_id}` });
  };
  return (
    <FormDialog
      title={text.trackTitle}
      size="small"
      submitLabel={text.trackNow}
      disabledReason={
        unavailableReason ?? (isInvalidId(subscription) || isInvalidId(component) ? text.wholeNumber : null)
      }
      action={tracking}
      site={site}
      onSubmit={track}
    >
      <p>{text.trackText}</p>
      <EnterKeyForm className="fields-pair" onSubmit={track}>
        <TextInput
          label={text.subscriptionId}
          value={subscription}
          onChange={setSubscription}
          numeric
          autoFocus
        />
        <TextInput label={text.componentId} value={component} onChange={setComponent} numeric />
      </EnterKeyForm>
    </FormDialog>
  );
}
