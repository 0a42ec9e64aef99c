import { ListChecks, Plus } from 'lucide-react';
import { useState } from 'react';
import type { BankAccount, MatchRule, ProposedRule, Site } from '../../../contract/index.ts';
import { useAction, useContractClient, useQuery } from '../../backend-client/backend-hooks.ts';
import { Button } from '../../controls/button.tsx';
import { EmptyState } from '../../controls/empty-state.tsx';
import { Skeleton } from '../../controls/skeleton.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { ListWithDetail, PageLayout } from '../../layout/screen-layout.tsx';
import { texts } from '../../texts/texts.ts';
import { openMatchingTab } from '../shared/matching-route.ts';
import { ProposedRules } from './proposed-rules.tsx';
import { MatchRuleDetail } from './rule-detail.tsx';
import { MatchRuleList } from './rule-list.tsx';
import { reorderMatchRules, saveMatchRule } from './rule-mutations.ts';
import { NEW_RULE_ID } from './suggested-rule-draft.ts';
import './rules.css';

const text = texts.matchRules;
const none: readonly BankAccount[] = [];

/** Lists the user's match rules, with the open rule next to the list. */
export function MatchRulesPane({ site, id }: { readonly site: Site; readonly id: number | null }) {
  const client = useContractClient();
  const { data: rules, error } = useQuery('match.rules', { site: site.site });
  const { data: accounts = none } = useQuery('bank.accounts', { site: site.site });
  /** Number of new rules started so far. It serves as a React key, so that each new rule starts with an empty form. */
  const [newRuleCount, setNewRuleCount] = useState(0);
  /** Proposed rule with which the form of the new rule starts, or null for an empty form. */
  const [proposal, setProposal] = useState<ProposedRule | null>(null);
  const ordering = useAction((ids: readonly number[]) =>
    reorderMatchRules(client, site.site, rules ?? [], ids).then(() => true),
  );
  const switching = useAction((rule: MatchRule, enabled: boolean) => {
    const { title, conditions, action } = rule;
    return saveMatchRule(client, site.site, {
      before: rule,
      content: { title, enabled, conditions, action },
      notice: text.switched(title, enabled),
    });
  });
  const failed = error ?? ordering.error ?? switching.error;
  const startRule = (from: ProposedRule | null) => {
    setProposal(from);
    setNewRuleCount(newRuleCount + 1);
    openMatchingTab('rules', NEW_RULE_ID);
  };
  const add = (
    <Button kind="primary" icon={Plus} onPress={() => startRule(null)}>
      {text.add}
    </Button>
  );
  const open = rules?.find((rule) => rule.id === id) ?? null;
  return (
    <ListWithDetail
      name="matchRules"
      width={520}
      list={
        <PageLayout>
          {failed && <ErrorMessage error={failed} site={site.site} />}
          <ProposedRules site={site.site} accounts={accounts} onReview={startRule} />
          {!rules && !error && <Skeleton lines={8} />}
          {rules?.length === 0 && (
            <EmptyState icon={ListChecks} title={text.emptyTitle} action={add} text={text.emptyText} />
          )}
          {rules && rules.length > 0 && (
            <>
              <div className="runs-lead">
                <p className="rules-lead">{text.lead}</p>
                {add}
              </div>
              <MatchRuleList
                rules={rules}
                accounts={accounts}
                open={id}
                onOrder={(ids) => void ordering.run(ids)}
                onSwitch={(rule, on) => void switching.run(rule, on)}
              />
            </>
          )}
        </PageLayout>
      }
      detail={
        id === null ? null : (
          <MatchRuleDetail
            key={open === null ? `${id} new ${newRuleCount}` : `${open.id} ${open.version}`}
            site={site}
            id={id}
            rule={open}
            proposal={proposal}
            rulesLoaded={rules !== undefined}
            accounts={accounts}
          />
        )
      }
    />
  );
}
