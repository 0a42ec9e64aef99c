import { ListChecks, Plus } from 'lucide-react';
import { useState } from 'react';
import type { BankAccount, MatchRule, Site } from '../../../contract/index.ts';
import { useAction, useClient, useQuery } from '../../backend/hooks.ts';
import { Button } from '../../controls/button.tsx';
import { Empty, Skeleton } from '../../controls/pieces.tsx';
import { ErrorNote } from '../../errors/error-note.tsx';
import { Beside } from '../../frame/screen.tsx';
import { words } from '../../words/words.ts';
import { openMatching } from '../place.ts';
import { keepRule, orderRules } from './acts.ts';
import { RuleDetail } from './rule-detail.tsx';
import { RuleList } from './rule-list.tsx';
import './rules.css';

const text = words.matchRules;
const none: readonly BankAccount[] = [];
/** The address of the rule that is being written, before it has a number. */
const NEW_RULE = 0;

/** The user's own rules in their order, the open one beside them. */
export function RulesPane({ site, id }: { readonly site: Site; readonly id: number | null }) {
  const client = useClient();
  const { data: rules, error } = useQuery('match.rules', { site: site.site });
  const { data: accounts = none } = useQuery('bank.accounts', { site: site.site });
  /** Each rule that is begun has a form of its own. */
  const [written, setWritten] = useState(0);
  const ordering = useAction((ids: readonly number[]) =>
    orderRules(client, site.site, rules ?? [], ids).then(() => true),
  );
  const switching = useAction((rule: MatchRule, enabled: boolean) => {
    const { title, conditions, action } = rule;
    return keepRule(
      client,
      site.site,
      rule,
      { title, enabled, conditions, action },
      text.switched(title, enabled),
    );
  });
  const failed = error ?? ordering.error ?? switching.error;
  const add = (
    <Button
      kind="primary"
      icon={Plus}
      onPress={() => {
        setWritten(written + 1);
        openMatching('rules', NEW_RULE);
      }}
    >
      {text.add}
    </Button>
  );
  const open = rules?.find((rule) => rule.id === id) ?? null;
  return (
    <Beside
      name="matchRules"
      width={520}
      list={
        <div className="page">
          <div className="page-inner">
            {failed && <ErrorNote error={failed} site={site.site} />}
            {!rules && !error && <Skeleton lines={8} />}
            {rules?.length === 0 && (
              <Empty icon={ListChecks} title={text.emptyTitle} action={add}>
                {text.emptyText}
              </Empty>
            )}
            {rules && rules.length > 0 && (
              <>
                <div className="runs-lead">
                  <p className="rules-lead">{text.lead}</p>
                  {add}
                </div>
                <RuleList
                  rules={rules}
                  accounts={accounts}
                  open={id}
                  onOrder={(ids) => void ordering.run(ids)}
                  onSwitch={(rule, on) => void switching.run(rule, on)}
                />
              </>
            )}
          </div>
        </div>
      }
      detail={
        id === null ? null : (
          <RuleDetail
            key={open === null ? `${id} new ${written}` : `${open.id} ${open.version}`}
            site={site}
            id={id}
            rule={open}
            known={rules !== undefined}
            accounts={accounts}
          />
        )
      }
    />
  );
}
