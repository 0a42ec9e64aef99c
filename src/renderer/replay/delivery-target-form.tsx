import { useState } from 'react';
import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { Button } from '../controls/button.tsx';
import { TextInput, ToggleSwitch } from '../controls/form-fields.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.replay.delivery;

interface DeliveryTargetFormProps {
  readonly site: string;
  /** Endpoint of the current plan as entered; null if the service resends the webhooks. */
  readonly endpoint: string | null;
  readonly isPlanning: boolean;
  /** Plans the replay again for this endpoint; null if the service resends the webhooks. */
  readonly onChoose: (endpoint: string | null) => void;
}

/** Form that chooses whether the service or Tieout sends the webhooks. A local delivery needs an address and a shared key. */
export function DeliveryTargetForm({ site, endpoint, isPlanning, onChoose }: DeliveryTargetFormProps) {
  const client = useContractClient();
  const [isLocal, setIsLocal] = useState(endpoint !== null);
  const [address, setAddress] = useState(endpoint ?? '');
  const [key, setKey] = useState('');
  const { data: sharedKey } = useQuery('sites.sharedKey', { site });
  const needsKey = sharedKey?.stored === false;
  const saving = useAction(() => client.sites.setSharedKey({ site, shared_key: key.trim() }));

  const toggle = (on: boolean) => {
    setIsLocal(on);
    if (!on && endpoint !== null) onChoose(null);
  };
  const apply = async () => {
    if (needsKey && !(await saving.run())) return;
    setKey('');
    onChoose(address.trim());
  };
  const missing =
    address.trim() === '' ? text.enterAddress : needsKey && key.trim() === '' ? text.enterKey : null;
  return (
    <section className="plan-excluded" aria-label={text.title}>
      <ToggleSwitch on={isLocal} onChange={toggle} disabled={isPlanning}>
        {text.toggle}
        <small>{text.toggleHint}</small>
      </ToggleSwitch>
      {isLocal && (
        <>
          <TextInput
            label={text.address}
            hint={text.addressHint}
            value={address}
            onChange={setAddress}
            placeholder="https://hooks.example.com/billing"
            type="url"
            maxLength={2000}
          />
          {needsKey && (
            <TextInput
              label={text.key}
              hint={text.keyHint}
              value={key}
              onChange={setKey}
              type="password"
              maxLength={500}
            />
          )}
          {saving.error && <ErrorMessage error={saving.error} onRetry={() => void apply()} site={site} />}
          <Button
            onPress={() => void apply()}
            isPending={isPlanning || saving.running}
            disabledReason={missing}
          >
            {text.plan}
          </Button>
        </>
      )}
    </section>
  );
}
