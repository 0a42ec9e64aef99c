import type { CheckSummary } from '../../contract/index.ts';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/panel.tsx';
import { TableHead } from '../controls/table-head.tsx';
import { Money, NoValue } from '../controls/values.tsx';
import { SeverityBadge } from '../exceptions/status-badges.tsx';
import { navigate, openFilteredScreen } from '../navigation/window-state.ts';
import { formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { CountBar } from './count-bar.tsx';
import { showOpenExceptions } from './exception-summary.tsx';

const text = texts.overview;

interface ExceptionsByRuleProps {
  readonly summary: CheckSummary;
  readonly currency: string;
}

/** Lists the number of exceptions by rule. Each rule links to its exceptions. */
export function ExceptionsByRule({ summary, currency }: ExceptionsByRuleProps) {
  const titles = text.ruleColumns;
  const maxCount = Math.max(1, ...summary.by_rule.map(({ open }) => open));
  const show = (rule: string, open: number) => {
    if (open > 0) return showOpenExceptions(summary, rule);
    const period = summary.period ? { period: summary.period.period } : {};
    openFilteredScreen('exceptions', { rule: [rule], ...period });
  };
  return (
    <Panel
      level={2}
      title={text.byRule}
      aside={<Link onPress={() => navigate({ screen: 'rules' })}>{text.rules}</Link>}
    >
      <table className="table by-rule">
        <TableHead
          titles={[
            titles.rule,
            titles.severity,
            titles.open,
            { end: titles.accepted },
            { end: texts.statements.withCurrency(titles.stake, currency) },
          ]}
        />
        <tbody>
          {summary.by_rule.map((row) => (
            <tr key={row.rule}>
              <th scope="row">
                <Link onPress={() => show(row.rule, row.open)}>{row.title}</Link>
              </th>
              <td>
                <SeverityBadge severity={row.severity} />
              </td>
              <td className="by-rule-open">
                <CountBar count={row.open} maxCount={maxCount} tone={row.severity} />
                {formatCount(row.open)}
              </td>
              <td className="table-end">{row.accepted === 0 ? <NoValue /> : formatCount(row.accepted)}</td>
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
