import type { CheckSummary } from '../../contract/index.ts';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/pieces.tsx';
import { TableHead } from '../controls/table-head.tsx';
import { Absent, Money } from '../controls/values.tsx';
import { SeverityStatus } from '../exceptions/looks.tsx';
import { go, showFiltered } from '../view/view.ts';
import { countText } from '../words/numbers.ts';
import { words } from '../words/words.ts';
import { Bar } from './bar.tsx';
import { showOpen } from './standing.tsx';

const text = words.overview;

interface ByRuleProps {
  readonly summary: CheckSummary;
  readonly currency: string;
}

/** What was found, rule by rule; each leads to its exceptions. */
export function ByRule({ summary, currency }: ByRuleProps) {
  const titles = text.ruleColumns;
  const most = Math.max(1, ...summary.by_rule.map(({ open }) => open));
  const show = (rule: string, open: number) => {
    if (open > 0) return showOpen(summary, rule);
    const period = summary.period ? { period: summary.period.period } : {};
    showFiltered('exceptions', { rule: [rule], ...period });
  };
  return (
    <Panel
      level={2}
      title={text.byRule}
      aside={<Link onPress={() => go({ screen: 'rules' })}>{text.rules}</Link>}
    >
      <table className="table by-rule">
        <TableHead
          titles={[
            titles.rule,
            titles.severity,
            titles.open,
            { end: titles.accepted },
            { end: words.statements.withCurrency(titles.stake, currency) },
          ]}
        />
        <tbody>
          {summary.by_rule.map((row) => (
            <tr key={row.rule}>
              <th scope="row">
                <Link onPress={() => show(row.rule, row.open)}>{row.title}</Link>
              </th>
              <td>
                <SeverityStatus severity={row.severity} />
              </td>
              <td className="by-rule-open">
                <Bar of={row.open} most={most} tone={row.severity} />
                {countText(row.open)}
              </td>
              <td className="table-end">{row.accepted === 0 ? <Absent /> : countText(row.accepted)}</td>
              <td className="table-end">
                <Money cents={row.at_stake_in_cents} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
