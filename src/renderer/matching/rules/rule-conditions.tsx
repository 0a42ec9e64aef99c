import { Plus, X } from 'lucide-react';
import type { BankAccount } from '../../../contract/index.ts';
import { Button } from '../../controls/button.tsx';
import { bindFormField, SelectField, TextInput } from '../../controls/form-fields.tsx';
import { Panel } from '../../controls/panel.tsx';
import { texts } from '../../texts/texts.ts';
import {
  addEmptyRuleCondition,
  type MatchRuleDraft,
  type RuleConditionDraft,
  ruleConditionFields,
  textConditionOperators,
} from './rule-draft.ts';

const text = texts.matchRules;
const kinds = Object.entries(texts.bank.kinds) as [keyof typeof texts.bank.kinds, string][];

interface RuleConditionsProps {
  readonly draft: MatchRuleDraft;
  readonly accounts: readonly BankAccount[];
  readonly onChange: (draft: MatchRuleDraft) => void;
}

export function MatchRuleConditions({ draft, accounts, onChange }: RuleConditionsProps) {
  const { conditions } = draft;
  const change = (changed: RuleConditionDraft) =>
    onChange({ ...draft, conditions: conditions.map((each) => (each.key === changed.key ? changed : each)) });
  return (
    <Panel title={text.conditions}>
      {conditions.map((condition, at) => (
        <div key={condition.key} className="rule-condition">
          <SelectField
            label={text.field(at + 1)}
            labelUnseen
            {...bindFormField(condition, change, 'field')}
            options={ruleConditionFields.map((value) => ({ value, label: text.fields[value] }))}
          />
          <ConditionInputs condition={condition} accounts={accounts} onChange={change} />
          <Button
            kind="quiet"
            icon={X}
            label={text.removeCondition(at + 1)}
            disabledReason={conditions.length === 1 ? text.oneNeeded : null}
            onPress={() =>
              onChange({ ...draft, conditions: conditions.filter((each) => each !== condition) })
            }
          />
        </div>
      ))}
      <div>
        <Button size="small" icon={Plus} onPress={() => onChange(addEmptyRuleCondition(draft))}>
          {text.addCondition}
        </Button>
      </div>
    </Panel>
  );
}

interface ConditionInputsProps {
  readonly condition: RuleConditionDraft;
  readonly accounts: readonly BankAccount[];
  readonly onChange: (condition: RuleConditionDraft) => void;
}

/** Shows the inputs for the field that a condition tests. */
function ConditionInputs({ condition, accounts, onChange }: ConditionInputsProps) {
  const bind = <Name extends keyof RuleConditionDraft>(name: Name) =>
    bindFormField(condition, onChange, name);
  switch (condition.field) {
    case 'amount':
      return (
        <div className="rule-asked">
          <TextInput label={text.from} hideLabel placeholder={text.from} {...bind('from')} />
          <TextInput label={text.to} hideLabel placeholder={text.to} {...bind('to')} />
          <p className="fineprint">{text.amountHint}</p>
        </div>
      );
    case 'account': {
      const options = accounts.map(({ id, name }) => [id, name] as const);
      return <MultiSelectButtons label={text.accounts} options={options} {...bind('accounts')} />;
    }
    case 'kind':
      return <MultiSelectButtons label={text.kinds} options={kinds} {...bind('kinds')} />;
    default:
      return (
        <div className="rule-asked">
          <SelectField
            label={text.comparison}
            labelUnseen
            {...bind('is')}
            options={textConditionOperators.map((value) => ({ value, label: text.tests[value] }))}
          />
          {condition.is !== 'empty' && (
            <TextInput label={text.value} hideLabel {...bind('value')} maxLength={200} />
          )}
        </div>
      );
  }
}

interface MultiSelectButtonsProps<Value extends string | number> {
  readonly label: string;
  readonly options: readonly (readonly [Value, string])[];
  readonly value: readonly Value[];
  readonly onChange: (chosen: readonly Value[]) => void;
}

/** Toggle buttons for selecting any number of options. */
function MultiSelectButtons<Value extends string | number>(props: MultiSelectButtonsProps<Value>) {
  const { value: chosen, onChange } = props;
  return (
    <fieldset className="assignee-known rule-asked" aria-label={props.label}>
      {props.options.map(([value, name]) => {
        const isPressed = chosen.includes(value);
        const toggle = () =>
          onChange(isPressed ? chosen.filter((each) => each !== value) : [...chosen, value]);
        return (
          <Button key={value} size="small" isPressed={isPressed} onPress={toggle}>
            {name}
          </Button>
        );
      })}
    </fieldset>
  );
}
