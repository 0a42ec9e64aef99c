import type { BankAccount, ProposedRule } from '../../../contract/index.ts';
import { useQuery } from '../../backend-client/backend-hooks.ts';
import { Button } from '../../controls/button.tsx';
import { Panel } from '../../controls/panel.tsx';
import { ErrorMessage } from '../../errors/error-message.tsx';
import { texts } from '../../texts/texts.ts';
import { describeMatchRule } from './rule-sentence.ts';

const text = texts.matchRules.proposals;

interface ProposedRulesProps {
  readonly site: string;
  readonly accounts: readonly BankAccount[];
  readonly onReview: (rule: ProposedRule) => void;
}

/** Lists rules that repeat equal decisions, with their effect on the history. A rule applies only after a user saves it. */
export function ProposedRules({ site, accounts, onReview }: ProposedRulesProps) {
  const { data: rules = [], error } = useQuery('match.proposedRules', { site });
  if (error) return <ErrorMessage error={error} site={site} />;
  if (rules.length === 0) return null;
  return (
    <Panel title={text.title}>
      <ul className="match-side">
        {rules.map((rule) => (
          <li key={rule.id}>
            <span>
              {describeMatchRule(rule, accounts)}
              <small>
                {text.decisions(rule.decisions)} {text.effect(rule)}
              </small>
            </span>
            <Button size="small" label={text.reviewRule(rule.title)} onPress={() => onReview(rule)}>
              {text.review}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
