import type { CheckSummary, Severity } from '../../contract/index.ts';
import { MissingValue, Money } from '../controls/formatted-values.tsx';
import { Link } from '../controls/link.tsx';
import { Panel } from '../controls/panel.tsx';
import { DataTable } from '../controls/table-head.tsx';
import { SeverityBadge } from '../exceptions/status-badges.tsx';
import { navigate, openFilteredList } from '../navigation/window-state.ts';
import { formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { showOpenExceptions } from './exception-summary.tsx';

const text = texts.overview;

interface ExceptionTableProps {
  readonly summary: CheckSummary;
  readonly currency: string;
}

/** Lists the number of exceptions by rule. Each rule links to its exceptions. */
export function ExceptionsByRule({ summary, currency }: ExceptionTableProps) {
  const titles = text.ruleColumns;
  const maxCount = Math.max(1, ...summary.by_rule.map(({ open }) => open));
  const show = (rule: string, open: number) => {
    if (open > 0) return showOpenExceptions(summary, rule);
    const period = summary.period ? { period: summary.period.period } : {};
    openFilteredList('exceptions', { rule: [rule], ...period });
  };
  return (
    <Panel
      level={2}
      title={text.byRule}
      aside={<Link onPress={() => navigate({ screen: 'rules' })}>{text.rules}</Link>}
    >
      <DataTable
        className="table by-rule"
        titles={[
          titles.rule,
          titles.severity,
          { text: titles.open, cellClass: 'by-rule-open' },
          { end: titles.accepted },
          { end: texts.statements.withCurrency(titles.stake, currency) },
        ]}
        rows={summary.by_rule.map(({ rule, title, severity, open, accepted, at_stake_in_cents }) => ({
          key: rule,
          cells: [
            <Link key="rule" onPress={() => show(rule, open)}>
              {title}
            </Link>,
            <SeverityBadge key="severity" status={severity} />,
            <CountBar key="open" count={open} maxCount={maxCount} tone={severity} />,
            accepted === 0 ? <MissingValue key="accepted" /> : formatCount(accepted),
            <Money key="stake" cents={at_stake_in_cents} />,
          ],
        }))}
      />
    </Panel>
  );
}

/** Shows the open exceptions by age. */
export function ExceptionAging({ summary, currency }: ExceptionTableProps) {
  const maxCount = Math.max(1, ...summary.aging.map(({ open }) => open));
  return (
    <Panel level={2} title={text.aging} aside={<span className="fineprint">{text.agingBasis}</span>}>
      <table className="table by-rule">
        <tbody>
          {summary.aging.map(({ from_days, to_days, open, at_stake_in_cents }) => (
            <tr key={from_days}>
              <th scope="row">{text.ageRange(from_days, to_days)}</th>
              <td className="by-rule-open">
                <CountBar count={open} maxCount={maxCount} />
              </td>
              <td className="table-end">
                <Money cents={at_stake_in_cents} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

interface CountBarProps {
  readonly count: number;
  readonly maxCount: number;
  readonly tone?: Severity;
}

/** Shows a count as a bar, relative to the largest count, next to the number. */
function CountBar({ count, maxCount, tone }: CountBarProps) {
  const className = tone ? `bar-fill bar-${tone}` : 'bar-fill';
  return (
    <>
      <span className="bar">
        {count > 0 && <span className={className} style={{ width: `${(count * 100) / maxCount}%` }} />}
      </span>
      {formatCount(count)}
    </>
  );
}
