import { Plus, X } from 'lucide-react';
import type { BankAccount } from '../../../contract/index.ts';
import { Button } from '../../controls/button.tsx';
import { SelectField, TextInput } from '../../controls/form-fields.tsx';
import { Panel } from '../../controls/panel.tsx';
import { texts } from '../../texts/texts.ts';
import {
  type ConditionDraft,
  conditionFields,
  type RuleDraft,
  textTests,
  withCondition,
} from './rule-draft.ts';

const text = texts.matchRules;
const kinds = Object.entries(texts.bank.kinds) as [keyof typeof texts.bank.kinds, string][];

interface RuleConditionsProps {
  readonly draft: RuleDraft;
  readonly accounts: readonly BankAccount[];
  readonly onChange: (draft: RuleDraft) => void;
}

/** Form for the conditions of a match rule. */
export function RuleConditions({ draft, accounts, onChange }: RuleConditionsProps) {
  const { conditions } = draft;
  const change = (key: number, by: Partial<ConditionDraft>) =>
    onChange({
      ...draft,
      conditions: conditions.map((condition) =>
        condition.key === key ? { ...condition, ...by } : condition,
      ),
    });
  return (
    <Panel title={text.conditions}>
      {conditions.map((condition, at) => (
        <div key={condition.key} className="rule-condition">
          <SelectField
            label={text.field(at + 1)}
            labelUnseen
            value={condition.field}
            onChange={(field) => change(condition.key, { field })}
            options={conditionFields.map((value) => ({ value, label: text.fields[value] }))}
          />
          <ConditionInputs
            condition={condition}
            accounts={accounts}
            onChange={(by) => change(condition.key, by)}
          />
          <Button
            kind="quiet"
            icon={X}
            label={text.removeCondition(at + 1)}
            disabledReason={conditions.length === 1 ? text.oneNeeded : null}
            onPress={() =>
              onChange({ ...draft, conditions: conditions.filter(({ key }) => key !== condition.key) })
            }
          />
        </div>
      ))}
      <div>
        <Button size="small" icon={Plus} onPress={() => onChange(withCondition(draft))}>
          {text.addCondition}
        </Button>
      </div>
    </Panel>
  );
}

interface ConditionInputsProps {
  readonly condition: ConditionDraft;
  readonly accounts: readonly BankAccount[];
  readonly onChange: (by: Partial<ConditionDraft>) => void;
}

/** Shows the inputs for the field that a condition tests. */
function ConditionInputs({ condition, accounts, onChange }: ConditionInputsProps) {
  switch (condition.field) {
    case 'amount':
      return (
        <div className="rule-asked">
          <TextInput
            label={text.from}
            hideLabel
            placeholder={text.from}
            value={condition.from}
            onChange={(from) => onChange({ from })}
          />
          <TextInput
            label={text.to}
            hideLabel
            placeholder={text.to}
            value={condition.to}
            onChange={(to) => onChange({ to })}
          />
          <p className="fineprint">{text.amountHint}</p>
        </div>
      );
    case 'account':
      return (
        <MultiSelectButtons
          label={text.accounts}
          options={accounts.map(({ id, name }) => [id, name] as const)}
          chosen={condition.accounts}
          onChange={(chosen) => onChange({ accounts: chosen })}
        />
      );
    case 'kind':
      return (
        <MultiSelectButtons
          label={text.kinds}
          options={kinds}
          chosen={condition.kinds}
          onChange={(chosen) => onChange({ kinds: chosen })}
        />
      );
    default:
      return (
        <div className="rule-asked">
          <SelectField
            label={text.comparison}
            labelUnseen
            value={condition.is}
            onChange={(is) => onChange({ is })}
            options={textTests.map((value) => ({ value, label: text.tests[value] }))}
          />
          {condition.is !== 'empty' && (
            <TextInput
              label={text.value}
              hideLabel
              value={condition.value}
              onChange={(value) => onChange({ value })}
              maxLength={200}
            />
          )}
        </div>
      );
  }
}

interface MultiSelectButtonsProps<Value extends string | number> {
  readonly label: string;
  readonly options: readonly (readonly [Value, string])[];
  readonly chosen: readonly Value[];
  readonly onChange: (chosen: Value[]) => void;
}

/** Toggle buttons for selecting any number of options. */
function MultiSelectButtons<Value extends string | number>({
  label,
  options,
  chosen,
  onChange,
}: MultiSelectButtonsProps<Value>) {
  return (
    <fieldset className="assignee-known rule-asked" aria-label={label}>
      {options.map(([value, name]) => (
        <Button
          key={value}
          size="small"
          isPressed={chosen.includes(value)}
          onPress={() =>
            onChange(chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value])
          }
        >
          {name}
        </Button>
      ))}
    </fieldset>
  );
}
