import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react';
import { GridList, GridListItem, useDragAndDrop } from 'react-aria-components';
import type { BankAccount, MatchRule } from '../../../contract/index.ts';
import { Button } from '../../controls/button.tsx';
import { ToggleSwitch } from '../../controls/form-fields.tsx';
import { Link } from '../../controls/link.tsx';
import { texts } from '../../texts/texts.ts';
import { openMatchingTab } from '../shared/matching-route.ts';
import { moveIdInList } from './rule-mutations.ts';
import { describeMatchRule } from './rule-sentence.ts';

const text = texts.matchRules;

interface RuleListProps {
  readonly rules: readonly MatchRule[];
  readonly accounts: readonly BankAccount[];
  /** Id of the open match rule, or null if none is open. */
  readonly open: number | null;
  readonly onOrder: (ids: readonly number[]) => void;
  readonly onSwitch: (rule: MatchRule, on: boolean) => void;
}

/** Lists the match rules in their order. Users reorder them by dragging or with arrow buttons. */
export function MatchRuleList({ rules, accounts, open, onOrder, onSwitch }: RuleListProps) {
  const ids = rules.map(({ id }) => id);
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ 'text/plain': String(key) })),
    onReorder({ keys, target }) {
      const movedIds = new Set([...keys].map(Number));
      onOrder(
        moveIdInList(ids, movedIds, Number(target.key), target.dropPosition === 'after' ? 'after' : 'before'),
      );
    },
  });
  const moveRule = (id: number, by: 1 | -1) => {
    const neighborId = ids[ids.indexOf(id) + by];
    if (neighborId !== undefined)
      onOrder(moveIdInList(ids, new Set([id]), neighborId, by > 0 ? 'after' : 'before'));
  };
  return (
    <GridList
      aria-label={text.list}
      className="match-rules"
      dragAndDropHooks={dragAndDropHooks}
      disallowTypeAhead
    >
      {rules.map((rule, at) => (
        <GridListItem
          key={rule.id}
          id={rule.id}
          textValue={rule.title}
          className={`match-rule${rule.enabled ? '' : ' rule-off'}${rule.id === open ? ' match-rule-open' : ''}`}
        >
          <Button slot="drag" kind="quiet" size="small" icon={GripVertical} label={text.move(rule.title)} />
          <div className="match-rule-text">
            <p className="match-rule-head">
              <span className="fineprint">{text.order(at + 1)}</span>
              <Link onPress={() => openMatchingTab('rules', rule.id)}>{rule.title}</Link>
              <span className="fineprint">{text.matchCount(rule.groups)}</span>
            </p>
            <p className="prose">{describeMatchRule(rule, accounts)}</p>
          </div>
          <ToggleSwitch on={rule.enabled} onChange={(on) => onSwitch(rule, on)}>
            <span className="visually-hidden">{text.enabled(rule.title)}</span>
            <span aria-hidden="true">{rule.enabled ? text.on : text.off}</span>
          </ToggleSwitch>
          <Button
            kind="quiet"
            size="small"
            icon={ArrowUp}
            label={text.up(rule.title)}
            disabledReason={at === 0 ? text.isFirst : null}
            onPress={() => moveRule(rule.id, -1)}
          />
          <Button
            kind="quiet"
            size="small"
            icon={ArrowDown}
            label={text.down(rule.title)}
            disabledReason={at === rules.length - 1 ? text.isLast : null}
            onPress={() => moveRule(rule.id, 1)}
          />
        </GridListItem>
      ))}
    </GridList>
  );
}
