import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { SubscriptionComponent, WantedChange } from '../../contract/index.ts';
import { parseQuantity } from '../../domain/ledger/quantities.ts';
import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { useCommandContext } from '../commands/use-command-context.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { SelectField, TextInput } from '../controls/form-fields.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { closeDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { openDraft } from './allocation-route.ts';

import './allocations.css';

const text = texts.changes;

const upgrades = ['', 'prorate-delay-capture', 'prorate-attempt-capture', 'no-prorate'] as const;
const downgrades = ['', 'prorate', 'no-prorate'] as const;

interface Typed {
  /** Names the row while it is typed: its component may be typed twice, or not yet. */
  readonly row: number;
  readonly component: string;
  readonly quantity: string;
}

interface QuantityDialogProps {
  readonly site: string;
  readonly subscription: number;
  readonly component: number;
}

/** New quantities of one or several components of a subscription, to be previewed. */
export function QuantityDialog({ site, subscription, component }: QuantityDialogProps) {
  const client = useContractClient();
  const { unavailableReason } = useCommandContext();
  const { data: components } = useQuery('allocations.components', {
    site,
    filter: { subscription_id: subscription },
    limit: 200,
  });
  const [typed, setTyped] = useState<readonly Typed[]>([
    { row: 0, component: String(component), quantity: '' },
  ]);
  const [memo, setMemo] = useState('');
  const [upgrade, setUpgrade] = useState<(typeof upgrades)[number]>('');
  const [downgrade, setDowngrade] = useState<(typeof downgrades)[number]>('');
  const [tried, setTried] = useState(false);
  const drafting = useAction(async (changes: WantedChange[]) => {
    const draft = await client.allocations.draft({ site, from: { changes }, together: changes.length > 1 });
    if (!unavailableReason) await client.allocations.recheck({ site, draft: draft.draft });
    return draft;
  });

  const known = (id: string) => components?.rows.find((pair) => String(pair.component_id) === id.trim());
  const set = (row: number, change: Partial<Typed>) =>
    setTyped((all) => all.map((one) => (one.row === row ? { ...one, ...change } : one)));
  const wrong = (one: Typed) =>
    parseQuantity(one.quantity) === null || !/^\s*\d{1,15}\s*$/.test(one.component);

  const preview = async () => {
    setTried(true);
    if (typed.some(wrong)) return;
    const changes = typed.map((one) => ({
      subscription_id: subscription,
      component_id: Number(one.component),
      quantity: parseQuantity(one.quantity) as number | string,
      ...(memo.trim() === '' ? {} : { memo: memo.trim() }),
      ...(upgrade === '' ? {} : { proration_upgrade_scheme: upgrade }),
      ...(downgrade === '' ? {} : { proration_downgrade_scheme: downgrade }),
    }));
    const draft = await drafting.run(changes);
    if (!draft) return;
    closeDialog();
    openDraft(draft.draft);
  };

  return (
    <Dialog
      title={text.changeTitle(components?.rows[0]?.customer_name ?? null, subscription)}
      onClose={closeDialog}
      dismissable={false}
      footer={
        <>
          <span className="fineprint push">{typed.length > 1 ? text.togetherText : text.changeText}</span>
          <Button onPress={closeDialog}>{texts.controls.cancel}</Button>
          <Button kind="primary" isPending={drafting.running} onPress={() => void preview()}>
            {text.makeDraft}
          </Button>
        </>
      }
    >
      <form
        className="change-form"
        onSubmit={(event) => {
          event.preventDefault();
          void preview();
        }}
      >
        {typed.map((one, at) => (
          <QuantityRow
            key={one.row}
            typed={one}
            component={known(one.component)}
            first={at === 0}
            error={tried && wrong(one) ? text.quantityWrong : null}
            onChange={(change) => set(one.row, change)}
            onRemove={() => setTyped((all) => all.filter(({ row }) => row !== one.row))}
          />
        ))}
        <Button
          kind="quiet"
          icon={Plus}
          onPress={() => setTyped((all) => [...all, nextRow(components?.rows ?? [], all)])}
        >
          {text.addComponent}
        </Button>
        <TextInput label={text.memo} value={memo} onChange={setMemo} hint={text.memoHint} maxLength={2000} />
        <div className="fields-pair">
          <SelectField
            label={text.upgrade}
            value={upgrade}
            onChange={setUpgrade}
            options={upgrades.map((value) => ({ value, label: value === '' ? text.ownScheme : value }))}
            hint={text.schemeMeaning('upgrade', upgrade) ?? ''}
          />
          <SelectField
            label={text.downgrade}
            value={downgrade}
            onChange={setDowngrade}
            options={downgrades.map((value) => ({ value, label: value === '' ? text.ownScheme : value }))}
            hint={text.schemeMeaning('downgrade', downgrade) ?? ''}
          />
        </div>
        <button type="submit" hidden />
      </form>
      {drafting.error && <ErrorMessage error={drafting.error} site={site} />}
    </Dialog>
  );
}

interface QuantityRowProps {
  readonly typed: Typed;
  readonly component: SubscriptionComponent | undefined;
  readonly first: boolean;
  readonly error: string | null;
  readonly onChange: (change: Partial<Typed>) => void;
  readonly onRemove: () => void;
}

function QuantityRow({ typed, component: pair, first, error, onChange, onRemove }: QuantityRowProps) {
  const name = pair?.component_name ?? typed.component;
  return (
    <div className="change-row">
      <TextInput
        label={text.componentId}
        value={typed.component}
        onChange={(component) => onChange({ component })}
        numeric
        hint={pair?.component_name ?? ''}
      />
      <TextInput
        label={text.quantity}
        value={typed.quantity}
        onChange={(quantity) => onChange({ quantity })}
        hint={pair ? `${text.now(pair.quantity)}. ${text.quantityHint}` : text.quantityHint}
        error={error}
        autoFocus={first}
        numeric
      />
      {!first && <Button kind="quiet" icon={X} label={text.removeComponent(name)} onPress={onRemove} />}
    </div>
  );
}

/** A row for the subscription's first component that is not named yet. */
function nextRow(components: readonly SubscriptionComponent[], typed: readonly Typed[]): Typed {
  const next = components.find((pair) => typed.every((one) => one.component !== String(pair.component_id)));
  const row = Math.max(...typed.map((one) => one.row)) + 1;
  return { row, component: next ? String(next.component_id) : '', quantity: '' };
}
