import { useState } from 'react';
import { useAction, useClient } from '../backend/hooks.ts';
import { useCommandContext } from '../commands/use-commands.tsx';
import { Button } from '../controls/button.tsx';
import { Field } from '../controls/field.tsx';
import { Dialog } from '../controls/overlay.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { closeDialog, go, notify } from '../view/view.ts';
import { quantityText } from '../words/numbers.ts';
import { words } from '../words/words.ts';

const text = words.allocations;

/** Names a component that neither a webhook nor a statement has mentioned. */
export function TrackDialog({ site }: { readonly site: string }) {
  const client = useClient();
  const { away } = useCommandContext();
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
    notify(text.tracked(pair.quantity === null ? '–' : quantityText(pair.quantity)), 'good');
    go({ screen: 'allocations', item: `${pair.subscription_id}-${pair.component_id}` });
  };
  return (
    <Dialog
      title={text.trackTitle}
      size="small"
      onClose={closeDialog}
      footer={
        <>
          <Button onPress={closeDialog}>{words.controls.cancel}</Button>
          <Button
            kind="primary"
            pending={tracking.running}
            reason={away ?? (bad(subscription) || bad(component) ? text.wholeNumber : null)}
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
        <Field
          label={text.subscriptionId}
          value={subscription}
          onChange={setSubscription}
          numeric
          autoFocus
        />
        <Field label={text.componentId} value={component} onChange={setComponent} numeric />
        <button type="submit" hidden />
      </form>
      {tracking.error && <ErrorNote error={tracking.error} site={site} />}
    </Dialog>
  );
}
