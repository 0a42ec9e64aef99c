import { useState } from 'react';
import { useAction, useContractClient } from '../backend-client/backend-hooks.ts';
import { useCommandContext } from '../commands/use-command-context.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { TextInput } from '../controls/form-fields.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { closeDialog, navigate, showNotice } from '../navigation/window-state.ts';
import { formatQuantity } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';

const text = texts.allocations;

/** Names a component that neither a webhook nor a statement has mentioned. */
export function TrackComponentDialog({ site }: { readonly site: string }) {
  const client = useContractClient();
  const { unavailableReason } = useCommandContext();
  const [subscription, setSubscription] = useState('');
  const [component, setComponent] = useState('');
  const tracking = useAction((subscription_id: number, component_id: number) =>
    client.allocations.track({ site, subscription_id, component_id }),
  );
  const bad = (typed: string) => !/^\s*\d{1,15}\s*$/.test(typed);
  const track = async () => {
    if (bad(subscription) || bad(component)) return;
    const pair = await tracking.run(Number(subscription), Number(component));
    if (!pair) return;
    closeDialog();
    showNotice(text.tracked(pair.quantity === null ? '–' : formatQuantity(pair.quantity)), 'good');
    navigate({ screen: 'allocations', item: `${pair.subscription_id}-${pair.component_id}` });
  };
  return (
    <Dialog
      title={text.trackTitle}
      size="small"
      onClose={closeDialog}
      footer={
        <>
          <Button onPress={closeDialog}>{texts.controls.cancel}</Button>
          <Button
            kind="primary"
            isPending={tracking.running}
            disabledReason={
              unavailableReason ?? (bad(subscription) || bad(component) ? text.wholeNumber : null)
            }
            onPress={() => void track()}
          >
            {text.trackNow}
          </Button>
        </>
      }
    >
      <p>{text.trackText}</p>
      <form
        className="fields-pair"
        onSubmit={(event) => {
          event.preventDefault();
          void track();
        }}
      >
        <TextInput
          label={text.subscriptionId}
          value={subscription}
          onChange={setSubscription}
          numeric
          autoFocus
        />
        <TextInput label={text.componentId} value={component} onChange={setComponent} numeric />
        <button type="submit" hidden />
      </form>
      {tracking.error && <ErrorMessage error={tracking.error} site={site} />}
    </Dialog>
  );
}
