import { useState } from 'react';
import type { OutstandingItem } from '../../../contract/index.ts';
import { useAction, useContractClient, useQuery } from '../../backend-client/backend-hooks.ts';
import { DateField } from '../../controls/date-field.tsx';
import { bindFormField, TextInput } from '../../controls/form-fields.tsx';
import { DateTime } from '../../controls/formatted-values.tsx';
import { MultilineField } from '../../controls/multiline-field.tsx';
import { FormDialog } from '../../layout/form-dialog.tsx';
import { closeDialog, showNotice } from '../../navigation/window-state.ts';
import { formatMoney } from '../../texts/money.ts';
import { texts } from '../../texts/texts.ts';

const text = texts.periods.items;

interface ExplainItemsDialogProps {
  readonly site: string;
  readonly period: string;
  readonly items: readonly OutstandingItem[];
}

type ExplanationField = 'category' | 'owner' | 'explanation' | 'expected_on';
type ItemExplanation = Record<ExplanationField, string>;

const fieldNames: readonly ExplanationField[] = ['category', 'owner', 'explanation', 'expected_on'];

/** Dialog for explaining outstanding items. For several items, it changes only the fields that are filled in. */
export function ExplainItemsDialog({ site, period, items }: ExplainItemsDialogProps) {
  const client = useContractClient();
  const [first] = items;
  const single = items.length === 1 && first !== undefined ? first : null;
  const [typed, setTyped] = useState<ItemExplanation>({
    category: single?.category ?? '',
    owner: single?.owner ?? '',
    explanation: single?.explanation ?? '',
    expected_on: single?.expected_on ?? '',
  });
  const changes = changedFields(typed, single);
  const isUnchanged = Object.keys(changes).length === 0;
  const saving = useAction(() =>
    client.periods.explain({ site, period, items: items.map(({ key }) => key), ...changes }),
  );
  const save = async () => {
    if (isUnchanged || !(await saving.run())) return;
    closeDialog();
    showNotice(text.saved(items.length), 'good');
  };
  return (
    <FormDialog
      title={text.dialogTitle(items.length)}
      dismissable={isUnchanged}
      submitLabel={text.save}
      action={saving}
      disabledReason={isUnchanged ? text.nothing : null}
      onSubmit={save}
      site={site}
    >
      <p>
        {single === null
          ? text.dialogText
          : `${single.text}: ${formatMoney(single.amount_in_cents, single.currency)}`}
      </p>
      <ExplanationFields typed={typed} onChange={setTyped} onSubmit={() => void save()} />
      {single !== null && <EarlierExplanations site={site} item={single.key} />}
    </FormDialog>
  );
}

interface ExplanationFieldsProps {
  readonly typed: ItemExplanation;
  readonly onChange: (typed: ItemExplanation) => void;
  readonly onSubmit: () => void;
}

function ExplanationFields({ typed, onChange, onSubmit }: ExplanationFieldsProps) {
  const bind = (name: ExplanationField) => bindFormField(typed, onChange, name);
  return (
    <>
      <MultilineField
        label={text.explanation}
        placeholder={text.explanationHint}
        {...bind('explanation')}
        onSubmit={onSubmit}
        maxLength={2000}
        autoFocus
      />
      <div className="explain-pair">
        <TextInput label={text.category} hint={text.categoryHint} {...bind('category')} maxLength={40} />
        <TextInput label={text.owner} hint={text.ownerHint} {...bind('owner')} maxLength={100} />
      </div>
      <DateField label={text.expected} {...bind('expected_on')} />
    </>
  );
}

/** Returns the fields that the user has changed. An emptied field becomes null, which removes the stored value. */
function changedFields(
  typed: ItemExplanation,
  before: OutstandingItem | null,
): Partial<Record<ExplanationField, string | null>> {
  const changed = fieldNames.filter((name) => typed[name].trim() !== (before?.[name] ?? ''));
  return Object.fromEntries(changed.map((name) => [name, typed[name].trim() || null]));
}

function EarlierExplanations({ site, item }: { readonly site: string; readonly item: string }) {
  const { data } = useQuery('periods.explained', { site, items: [item] });
  const history = data?.[0]?.history ?? [];
  if (history.length === 0) return null;
  return (
    <div className="explain-history">
      <h3>{text.history}</h3>
      <ol>
        {history.map((entry) => (
          <li key={entry.at}>
            <DateTime at={entry.at} /> {entry.user}:{' '}
            {[entry.category, entry.owner, entry.explanation, entry.expected_on].filter(Boolean).join(' · ')}
          </li>
        ))}
      </ol>
    </div>
  );
}
