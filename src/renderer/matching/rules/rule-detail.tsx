import { useEffect, useRef, useState } from 'react';
import type { BankAccount, MatchRule, ProposedRule, Site } from '../../../contract/index.ts';
import { useAction, useContractClient } from '../../backend-client/backend-hooks.ts';
import { CommandButton } from '../../commands/command-button.tsx';
import { Button } from '../../controls/button.tsx';
import { bindFormField, RadioButtonGroup, TextInput } from '../../controls/form-fields.tsx';
import { Panel } from '../../controls/panel.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { DetailPlaceholder } from '../../layout/detail-placeholder.tsx';
import { DetailPane } from '../../layout/screen-layout.tsx';
import { useWindowState } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import { CategoryField } from '../shared/category-field.tsx';
import { openMatchingTab, parseMatchingRoute } from '../shared/matching-route.ts';
import { MatchRuleConditions } from './rule-conditions.tsx';
import {
  emptyMatchRuleDraft,
  type MatchRuleDraft,
  matchRuleActionKinds,
  toMatchRuleDraft,
  validateMatchRuleDraft,
} from './rule-draft.ts';
import { deleteMatchRule, saveMatchRule } from './rule-mutations.ts';
import { MatchRulePreview } from './rule-preview.tsx';
import { takeSuggestedRuleDraft } from './suggested-rule-draft.ts';

const text = texts.matchRules;

interface RuleDetailProps {
  readonly site: Site;
  readonly id: number;
  /** Saved match rule, or null for a new one. */
  readonly rule: MatchRule | null;
  /** Proposed rule with which the form of a new rule starts. */
  readonly proposal: ProposedRule | null;
  /** True once the match rules have loaded. */
  readonly rulesLoaded: boolean;
  readonly accounts: readonly BankAccount[];
}

/** Shows the form of a match rule, or a placeholder while the rules load or if the rule no longer exists. */
export function MatchRuleDetail(props: RuleDetailProps) {
  const { id, rule, rulesLoaded } = props;
  if (id === 0 || rule !== null) return <RuleForm {...props} />;
  return (
    <DetailPlaceholder
      title={text.detail(id)}
      actions={<CommandButton id="view.closeDetail" kind="quiet" iconOnly />}
      error={rulesLoaded ? { code: 'not_found', message: text.notFound, retryable: false } : null}
      notFoundText={text.notFound}
    />
  );
}

/** Form for a match rule, with a preview of the bank lines that the rule would match. */
function RuleForm({ site, rule, proposal, accounts }: RuleDetailProps) {
  const client = useContractClient();
  const [draft, setDraft] = useState(() => {
    const start = rule ?? proposal;
    return start === null ? (takeSuggestedRuleDraft() ?? emptyMatchRuleDraft) : toMatchRuleDraft(start);
  });
  const isMounted = useIsMounted();
  const { content, error: draftError } = validateMatchRuleDraft(draft);
  const isUnchanged = rule !== null && JSON.stringify(draft) === JSON.stringify(toMatchRuleDraft(rule));
  const saving = useAction(async () => {
    if (content === null) return;
    const saved = await saveMatchRule(client, site.site, { before: rule, content });
    // Opens the saved rule, unless the user has left the form in the meantime.
    if (rule === null && isMounted.current) openMatchingTab('rules', saved.id, true);
  });
  const deleting = useAction(async (deleted: MatchRule) => {
    await deleteMatchRule(client, site.site, deleted);
    const { part, id: openId } = parseMatchingRoute(useWindowState.getState().route.item);
    if (part === 'rules' && openId === deleted.id) openMatchingTab('rules', null, true);
  });
  const error = saving.error ?? deleting.error;
  return (
    <DetailPane
      label={rule === null ? text.untitled : text.detail(rule.id)}
      actions={<CommandButton id="view.closeDetail" kind="quiet" iconOnly />}
      head={<h2>{rule?.title ?? text.untitled}</h2>}
    >
      <form
        className="detail-body"
        onSubmit={(event) => {
          event.preventDefault();
          if (content !== null && !isUnchanged) void saving.run();
        }}
      >
        <TextInput
          label={text.name}
          {...bindFormField(draft, setDraft, 'title')}
          placeholder={text.nameExample}
          maxLength={100}
        />
        <MatchRuleConditions draft={draft} accounts={accounts} onChange={setDraft} />
        <RuleActionFields site={site.site} draft={draft} onChange={setDraft} />
        <MatchRulePreview site={site.site} draft={draft} />
        {error && <ErrorMessage error={error} site={site.site} />}
        <div className="decisions">
          <Button
            kind="primary"
            type="submit"
            isPending={saving.running}
            disabledReason={
              draftError !== null ? text.errors[draftError] : isUnchanged ? text.noChanges : null
            }
          >
            {rule === null ? text.save : text.saveChanges}
          </Button>
          {rule !== null && (
            <Button kind="danger" isPending={deleting.running} onPress={() => void deleting.run(rule)}>
              {text.remove}
            </Button>
          )}
        </div>
      </form>
    </DetailPane>
  );
}

function useIsMounted() {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}

interface RuleActionFieldsProps {
  readonly site: string;
  readonly draft: MatchRuleDraft;
  readonly onChange: (draft: MatchRuleDraft) => void;
}

/** Form for the action that a match rule takes on the bank lines that meet its conditions. */
function RuleActionFields({ site, draft, onChange }: RuleActionFieldsProps) {
  return (
    <Panel title={text.actionTitle}>
      <RadioButtonGroup
        label={text.action}
        {...bindFormField(draft, onChange, 'action')}
        options={matchRuleActionKinds.map((value) => ({
          value,
          label: text.actions[value],
          hint: text.actionHints[value],
        }))}
      />
      {draft.action !== 'ignore' && (
        <CategoryField
          site={site}
          label={text.category}
          {...bindFormField(draft, onChange, 'category')}
          placeholder={text.categoryExample}
          excluded="ignored"
        />
      )}
      {draft.action === 'tolerate' && (
        <div className="rule-bounds">
          <TextInput
            label={text.maxDifference}
            hint={text.maxDifferenceHint}
            {...bindFormField(draft, onChange, 'maxDifference')}
          />
          <TextInput
            label={text.percent}
            hint={text.percentHint}
            {...bindFormField(draft, onChange, 'percent')}
          />
        </div>
      )}
    </Panel>
  );
}
