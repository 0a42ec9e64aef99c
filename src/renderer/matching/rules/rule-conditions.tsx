import { Plus, X } from 'lucide-react';
import type { BankAccount } from '../../../contract/index.ts';
import { Button } from '../../controls/button.tsx';
import { Choice, Field } from '../../controls/field.tsx';
import { Panel } from '../../controls/pieces.tsx';
import { words } from '../../words/words.ts';
import { type ConditionDraft, conditionFields, type RuleDraft, textTests, withCondition } from './draft.ts';

const text = words.matchRules;
const kinds = Object.entries(words.bank.kinds) as [keyof typeof words.bank.kinds, string][];

interface RuleConditionsProps {
  readonly draft: RuleDraft;
  readonly accounts: readonly BankAccount[];
  readonly onChange: (draft: RuleDraft) => void;
}

/** What a line must be like for a rule to take it. */
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
    <Panel title={text.when}>
      {conditions.map((condition, at) => (
        <div key={condition.key} className="rule-condition">
          <Choice
            label={text.field(at + 1)}
            labelUnseen
            value={condition.field}
            onChange={(field) => change(condition.key, { field })}
            options={conditionFields.map((value) => ({ value, label: text.fields[value] }))}
          />
          <Asked condition={condition} accounts={accounts} onChange={(by) => change(condition.key, by)} />
          <Button
            kind="quiet"
            icon={X}
            label={text.removeCondition(at + 1)}
            reason={conditions.length === 1 ? text.oneNeeded : null}
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

interface AskedProps {
  readonly condition: ConditionDraft;
  readonly accounts: readonly BankAccount[];
  readonly onChange: (by: Partial<ConditionDraft>) => void;
}

/** What is asked of the field that was chosen. */
function Asked({ condition, accounts, onChange }: AskedProps) {
  switch (condition.field) {
    case 'amount':
      return (
        <div className="rule-asked">
          <Field
            label={text.from}
            labelUnseen
            placeholder={text.from}
            value={condition.from}
            onChange={(from) => onChange({ from })}
          />
          <Field
            label={text.to}
            labelUnseen
            placeholder={text.to}
            value={condition.to}
            onChange={(to) => onChange({ to })}
          />
          <p className="fineprint">{text.amountHint}</p>
        </div>
      );
    case 'account':
      return (
        <Several
          label={text.accounts}
          options={accounts.map(({ id, name }) => [id, name] as const)}
          chosen={condition.accounts}
          onChange={(chosen) => onChange({ accounts: chosen })}
        />
      );
    case 'kind':
      return (
        <Several
          label={text.kinds}
          options={kinds}
          chosen={condition.kinds}
          onChange={(chosen) => onChange({ kinds: chosen })}
        />
      );
    default:
      return (
        <div className="rule-asked">
          <Choice
            label={text.is}
            labelUnseen
            value={condition.is}
            onChange={(is) => onChange({ is })}
            options={textTests.map((value) => ({ value, label: text.tests[value] }))}
          />
          {condition.is !== 'empty' && (
            <Field
              label={text.value}
              labelUnseen
              value={condition.value}
              onChange={(value) => onChange({ value })}
              maxLength={200}
            />
          )}
        </div>
      );
  }
}

interface SeveralProps<Value extends string | number> {
  readonly label: string;
  readonly options: readonly (readonly [Value, string])[];
  readonly chosen: readonly Value[];
  readonly onChange: (chosen: Value[]) => void;
}

/** Some of a few, each a button that is pressed or not. */
function Several<Value extends string | number>({ label, options, chosen, onChange }: SeveralProps<Value>) {
  return (
    <fieldset className="assignee-known rule-asked" aria-label={label}>
      {options.map(([value, name]) => (
        <Button
          key={value}
          size="small"
          pressed={chosen.includes(value)}
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
