import { useEffect, useRef, useState } from 'react';
import type { BankAccount, MatchRule, Site } from '../../../contract/index.ts';
import { useAction, useClient, useQuery } from '../../backend/hooks.ts';
import { CommandButton } from '../../commands/use-commands.tsx';
import { Button } from '../../controls/button.tsx';
import { Field, Radios } from '../../controls/field.tsx';
import { Panel } from '../../controls/pieces.tsx';
import { ErrorNote } from '../../errors/error-note.tsx';
import { DetailPending } from '../../frame/detail-pending.tsx';
import { Detail } from '../../frame/screen.tsx';
import { useView } from '../../view/view.ts';
import { words } from '../../words/words.ts';
import { matchingPlace, openMatching } from '../place.ts';
import { keepRule, removeRule } from './acts.ts';
import { contentOf, draftOf, newRule, ruleActions } from './draft.ts';
import { RuleConditions } from './rule-conditions.tsx';
import { RuleTrial } from './rule-trial.tsx';

const text = words.matchRules;

interface RuleDetailProps {
  readonly site: Site;
  readonly id: number;
  /** Null for one that is being written. */
  readonly rule: MatchRule | null;
  /** Whether the rules are read. */
  readonly known: boolean;
  readonly accounts: readonly BankAccount[];
}

/** A rule to be written or changed, with what it would take now, before it is kept. */
export function RuleDetail({ site, id, rule, known, accounts }: RuleDetailProps) {
  const client = useClient();
  const [draft, setDraft] = useState(() => (rule === null ? newRule : draftOf(rule)));
  /** What was pressed here leads nobody away from where he went since. */
  const inFront = useRef(true);
  useEffect(
    () => () => {
      inFront.current = false;
    },
    [],
  );
  const { data: categories = [] } = useQuery('match.categories', { site: site.site });
  const { content, fault } = contentOf(draft);
  const unchanged = rule !== null && JSON.stringify(draft) === JSON.stringify(draftOf(rule));
  const keeping = useAction(async () => {
    if (content === null) return;
    const kept = await keepRule(client, site.site, rule, content);
    if (rule === null && inFront.current) openMatching('rules', kept.id, true);
  });
  const removing = useAction(async (gone: MatchRule) => {
    await removeRule(client, site.site, gone);
    const { part, id: open } = matchingPlace(useView.getState().route.item);
    if (part === 'rules' && open === gone.id) openMatching('rules', null, true);
  });
  const actions = <CommandButton id="view.closeDetail" kind="quiet" bare />;
  if (id !== 0 && rule === null) {
    return (
      <DetailPending
        title={text.detail(id)}
        actions={actions}
        error={known ? { code: 'not_found', message: text.notHeld, retryable: false } : null}
        notHeld={text.notHeld}
      />
    );
  }
  const failed = keeping.error ?? removing.error;
  return (
    <Detail
      label={rule === null ? text.untitled : text.detail(rule.id)}
      actions={actions}
      head={<h2>{rule?.title ?? text.untitled}</h2>}
    >
      <form
        className="detail-body"
        onSubmit={(event) => {
          event.preventDefault();
          if (content !== null && !unchanged) void keeping.run();
        }}
      >
        <Field
          label={text.name}
          value={draft.title}
          onChange={(title) => setDraft({ ...draft, title })}
          placeholder={text.nameExample}
          maxLength={100}
        />
        <RuleConditions draft={draft} accounts={accounts} onChange={setDraft} />
        <Panel title={text.does}>
          <Radios
            label={text.action}
            value={draft.action}
            onChange={(action) => setDraft({ ...draft, action })}
            options={ruleActions.map((value) => ({
              value,
              label: text.actions[value],
              hint: text.actionHints[value],
            }))}
          />
          {draft.action !== 'ignore' && (
            <>
              <Field
                label={text.category}
                value={draft.category}
                onChange={(category) => setDraft({ ...draft, category })}
                placeholder={text.categoryExample}
                maxLength={40}
              />
              <fieldset className="assignee-known" aria-label={text.category}>
                {categories
                  .filter(({ category }) => category !== 'ignored')
                  .slice(0, 10)
                  .map(({ category }) => (
                    <Button
                      key={category}
                      size="small"
                      pressed={category === draft.category}
                      onPress={() => setDraft({ ...draft, category })}
                    >
                      {category}
                    </Button>
                  ))}
              </fieldset>
            </>
          )}
          {draft.action === 'tolerate' && (
            <div className="rule-bounds">
              <Field
                label={text.most}
                hint={text.mostHint}
                value={draft.most}
                onChange={(most) => setDraft({ ...draft, most })}
              />
              <Field
                label={text.percent}
                hint={text.percentHint}
                value={draft.percent}
                onChange={(percent) => setDraft({ ...draft, percent })}
              />
            </div>
          )}
        </Panel>
        <RuleTrial site={site.site} draft={draft} />
        {failed && <ErrorNote error={failed} site={site.site} />}
        <div className="decisions">
          <Button
            kind="primary"
            type="submit"
            pending={keeping.running}
            reason={fault !== null ? text.faults[fault] : unchanged ? text.nothingChanged : null}
          >
            {rule === null ? text.keep : text.keepChanges}
          </Button>
          {rule !== null && (
            <Button kind="danger" pending={removing.running} onPress={() => void removing.run(rule)}>
              {text.remove}
            </Button>
          )}
        </div>
      </form>
    </Detail>
  );
}
