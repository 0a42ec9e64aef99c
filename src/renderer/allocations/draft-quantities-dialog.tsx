import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { prorationSchemes } from '../../contract/allocations/proration-schemes.ts';
import type { QuantityChange, SubscriptionComponent } from '../../contract/index.ts';
import { parseRequestedQuantity } from '../../domain/ledger/quantities.ts';
import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { useCommandContext } from '../commands/use-command-context.ts';
import { Button } from '../controls/button.tsx';
import { bindFormField, SelectField, TextInput } from '../controls/form-fields.tsx';
import { EnterKeyForm, FormDialog } from '../layout/form-dialog.tsx';
import { closeDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { openAllocationDraft } from './allocation-route.ts';

import './allocations.css';

const text = texts.changes;

const upgradeSchemes = ['', ...prorationSchemes.upgrade] as const;
const downgradeSchemes = ['', ...prorationSchemes.downgrade] as const;

interface QuantityInput {
  /** React key of the input row. The component id is unsuitable, because it may be empty or entered twice. */
  readonly row: number;
  readonly component: string;
  readonly quantity: string;
}

/** Memo and proration schemes that apply to all changes. An empty scheme means the site default. */
interface ChangeOptions {
  readonly memo: string;
  readonly upgrade: (typeof upgradeSchemes)[number];
  readonly downgrade: (typeof downgradeSchemes)[number];
}

/** Dialog for drafting new quantities for one or more components of a subscription. */
export function DraftQuantitiesDialog({
  site,
  subscription,
  component,
}: Record<'subscription' | 'component', number> & { readonly site: string }) {
  const client = useContractClient();
  const { unavailableReason } = useCommandContext();
  const { data: components } = useQuery('allocations.components', {
    site,
    filter: { subscription_id: subscription },
    limit: 200,
  });
  const known = components?.rows ?? [];
  const [inputs, setInputs] = useState<readonly QuantityInput[]>([
    { row: 0, component: String(component), quantity: '' },
  ]);
  const [options, setOptions] = useState<ChangeOptions>({ memo: '', upgrade: '', downgrade: '' });
  const [isSubmitted, setSubmitted] = useState(false);
  const drafting = useAction(async (changes: QuantityChange[]) => {
    const draft = await client.allocations.draft({ site, from: { changes }, together: changes.length > 1 });
    if (!unavailableReason) await client.allocations.recheck({ site, draft: draft.draft });
    return draft;
  });
  const preview = async () => {
    setSubmitted(true);
    if (!inputs.every(isValid)) return;
    const draft = await drafting.run(inputs.map((input) => toChange(subscription, input, options)));
    if (!draft) return;
    closeDialog();
    openAllocationDraft(draft.draft);
  };

  return (
    <FormDialog
      title={text.changeTitle(known[0]?.customer_name ?? null, subscription)}
      dismissable={false}
      tools={<span className="fineprint">{inputs.length > 1 ? text.togetherText : text.changeText}</span>}
      submitLabel={text.makeDraft}
      action={drafting}
      site={site}
      onSubmit={preview}
    >
      <EnterKeyForm className="change-form" onSubmit={preview}>
        <QuantityRows inputs={inputs} onChange={setInputs} known={known} showsErrors={isSubmitted} />
        <OptionFields options={options} onChange={setOptions} />
      </EnterKeyForm>
    </FormDialog>
  );
}

const isValid = ({ component, quantity }: QuantityInput): boolean =>
  parseRequestedQuantity(quantity) !== null && /^\s*\d{1,15}\s*$/.test(component);

function toChange(subscription: number, input: QuantityInput, options: ChangeOptions): QuantityChange {
  const { memo, upgrade, downgrade } = options;
  return {
    subscription_id: subscription,
    component_id: Number(input.component),
    quantity: parseRequestedQuantity(input.quantity) as number,
    ...(memo.trim() === '' ? {} : { memo: memo.trim() }),
    ...(upgrade === '' ? {} : { proration_upgrade_scheme: upgrade }),
    ...(downgrade === '' ? {} : { proration_downgrade_scheme: downgrade }),
  };
}

interface QuantityRowsProps {
  readonly inputs: readonly QuantityInput[];
  readonly onChange: (inputs: readonly QuantityInput[]) => void;
  /** Locally stored components of the subscription. */
  readonly known: readonly SubscriptionComponent[];
  readonly showsErrors: boolean;
}

function QuantityRows({ inputs, onChange, known, showsErrors }: QuantityRowsProps) {
  const update = (row: number, change: Partial<QuantityInput>) =>
    onChange(inputs.map((input) => (input.row === row ? { ...input, ...change } : input)));
  return (
    <>
      {inputs.map((input, index) => (
        <QuantityRow
          key={input.row}
          input={input}
          component={known.find(({ component_id }) => String(component_id) === input.component.trim())}
          isFirst={index === 0}
          error={showsErrors && !isValid(input) ? text.quantityWrong : null}
          onChange={(change) => update(input.row, change)}
          onRemove={() => onChange(inputs.filter(({ row }) => row !== input.row))}
        />
      ))}
      <Button kind="quiet" icon={Plus} onPress={() => onChange([...inputs, createNextInput(known, inputs)])}>
        {text.addComponent}
      </Button>
    </>
  );
}

interface QuantityRowProps {
  readonly input: QuantityInput;
  readonly component: SubscriptionComponent | undefined;
  readonly isFirst: boolean;
  readonly error: string | null;
  readonly onChange: (change: Partial<QuantityInput>) => void;
  readonly onRemove: () => void;
}

function QuantityRow({ input, component: known, isFirst, error, onChange, onRemove }: QuantityRowProps) {
  const name = known?.component_name ?? input.component;
  return (
    <div className="change-row">
      <TextInput
        label={text.componentId}
        value={input.component}
        onChange={(component) => onChange({ component })}
        numeric
        hint={known?.component_name ?? ''}
      />
      <TextInput
        label={text.quantity}
        value={input.quantity}
        onChange={(quantity) => onChange({ quantity })}
        hint={known ? `${text.now(known.quantity)}. ${text.quantityHint}` : text.quantityHint}
        error={error}
        autoFocus={isFirst}
        numeric
      />
      {!isFirst && <Button kind="quiet" icon={X} label={text.removeComponent(name)} onPress={onRemove} />}
    </div>
  );
}

interface OptionFieldsProps {
  readonly options: ChangeOptions;
  readonly onChange: (options: ChangeOptions) => void;
}

function OptionFields({ options, onChange }: OptionFieldsProps) {
  const { upgrade, downgrade } = options;
  return (
    <>
      <TextInput
        label={text.memo}
        {...bindFormField(options, onChange, 'memo')}
        hint={text.memoHint}
        maxLength={2000}
      />
      <div className="fields-pair">
        <SelectField
          label={text.upgrade}
          {...bindFormField(options, onChange, 'upgrade')}
          options={upgradeSchemes.map(toSchemeChoice)}
          hint={getSchemeHint('upgrade', upgrade)}
        />
        <SelectField
          label={text.downgrade}
          {...bindFormField(options, onChange, 'downgrade')}
          options={downgradeSchemes.map(toSchemeChoice)}
          hint={getSchemeHint('downgrade', downgrade)}
        />
      </div>
    </>
  );
}

const getSchemeHint = (direction: 'upgrade' | 'downgrade', scheme: string) =>
  (scheme === '' ? text.siteProrationMeaning(direction) : text.schemeMeaning(direction, scheme)) ?? '';

const toSchemeChoice = <Scheme extends string>(value: Scheme) => ({
  value,
  label: value === '' ? text.siteDefault : value,
});

/** Returns an input row for the subscription's first component that has no row yet. */
function createNextInput(
  known: readonly SubscriptionComponent[],
  inputs: readonly QuantityInput[],
): QuantityInput {
  const next = known.find(({ component_id }) =>
    inputs.every(({ component }) => component !== String(component_id)),
  );
  const row = Math.max(...inputs.map((input) => input.row)) + 1;
  return { row, component: next ? String(next.component_id) : '', quantity: '' };
}
