import { CircleCheckBig, CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CheckSummary } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Money, RelativeTime } from '../controls/formatted-values.tsx';
import { Link } from '../controls/link.tsx';
import { SeverityIcon } from '../exceptions/status-badges.tsx';
import { openFilteredList } from '../navigation/window-state.ts';
import { useHasBankLines } from '../periods/shared/month-bank-lines.ts';
import { ALL_TIME, chooseWorkingMonth } from '../periods/shared/working-month.ts';
import { formatMonth } from '../texts/date-times.ts';
import { formatCount, formatCountWithNoun } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { listCheckLimits } from './check-limits.ts';

const text = texts.overview;

interface ExceptionSummaryProps {
  readonly summary: CheckSummary;
  readonly currency: string;
}

/** Shows the result of the check and its key figures. */
export function ExceptionSummary({ summary, currency }: ExceptionSummaryProps) {
  const { exceptions, webhooks, checked } = summary;
  return (
    <section className="standing" aria-label={text.figures}>
      <CheckResult summary={summary} />
      <dl className="standing-figures">
        <Figure name={text.stake} hint={text.stakeHint} note={unassignedText(summary)}>
          <Money cents={exceptions.at_stake_in_cents} currency={currency} />
        </Figure>
        <Figure
          name={text.notAccepted}
          note={text.ofWebhooks(webhooks.total)}
          tone={webhooks.not_accepted > 0 ? 'bad' : undefined}
        >
          {formatCount(webhooks.not_accepted)}
        </Figure>
        <Figure
          name={text.accepted}
          note={exceptions.closed > 0 ? text.closed(exceptions.closed) : text.withReason}
        >
          {formatCount(exceptions.accepted)}
        </Figure>
        <Figure
          name={text.lastChecked}
          note={checked.stale ?? (checked.waiting > 0 ? text.changedSince(checked.waiting) : text.upToDate)}
        >
          {checked.at === null ? text.never : <RelativeTime at={checked.at} />}
        </Figure>
      </dl>
    </section>
  );
}

function CheckResult({ summary }: { readonly summary: CheckSummary }) {
  const { exceptions, period, checked } = summary;
  const month = period && formatMonth(period.period);
  if (checked.at === null) {
    return (
      <header className="verdict verdict-calm">
        <CircleDashed size={30} strokeWidth={1.7} aria-hidden="true" />
        <div>
          <h2>{text.unchecked}</h2>
          <p>{text.uncheckedText}</p>
        </div>
        {!checked.running && <CommandButton id="check.start" kind="primary" />}
      </header>
    );
  }
  if (exceptions.open === 0) return <NoOpenExceptions summary={summary} />;
  return (
    <header className="verdict">
      <div>
        <h2>
          {text.open(exceptions.open)} <span>{month ? text.openIn(month) : text.allTimeScope}</span>
        </h2>
        <ul className="verdict-split">
          {summary.by_severity.map(({ severity, open }) => (
            <li key={severity} className={open === 0 ? 'verdict-none' : ''}>
              <SeverityIcon severity={severity} />
              {formatCountWithNoun(
                open,
                texts.exceptions.severities[severity].toLowerCase(),
                texts.exceptions.severitiesMany[severity],
              )}
            </li>
          ))}
        </ul>
        <ExceptionsInOtherMonths summary={summary} />
      </div>
    </header>
  );
}

/** States that no exceptions are open, and what the check does not prove. */
function NoOpenExceptions({ summary }: { readonly summary: CheckSummary }) {
  const { site, exceptions, period } = summary;
  const hasBankLines = useHasBankLines(site, period?.period ?? null);
  const { data: rules } = useQuery('check.rules', { site });
  const disabledRules = rules?.filter(({ off }) => off !== null).length ?? 0;
  const limits = listCheckLimits({ summary, hasBankLines, disabledRules });
  const [tone, Icon] =
    limits.length === 0 ? (['good', CircleCheckBig] as const) : (['calm', CircleDashed] as const);
  return (
    <header className={`verdict verdict-${tone}`}>
      <Icon size={30} strokeWidth={1.7} aria-hidden="true" />
      <div>
        <h2>{period ? text.clear(formatMonth(period.period)) : text.clearAllTime}</h2>
        <p>{exceptions.accepted > 0 ? text.clearAccepted(exceptions.accepted) : text.clearText}</p>
        {limits.map((limit) => (
          <p key={limit}>{limit}</p>
        ))}
        <ExceptionsInOtherMonths summary={summary} />
      </div>
    </header>
  );
}

function unassignedText({ exceptions: { open, unassigned } }: CheckSummary): string {
  if (open === 0) return text.nothingOpen;
  return unassigned === 0 ? text.allAssigned : text.unassigned(unassigned);
}

/** Tells the user about open exceptions in other months, because the overview shows only one month. */
function ExceptionsInOtherMonths({
  summary: { site, period, exceptions },
}: {
  readonly summary: CheckSummary;
}) {
  const { data: allTime } = useQuery('check.summary', period ? { site } : null);
  const otherCount = (allTime?.exceptions.open ?? 0) - exceptions.open;
  if (otherCount <= 0) return null;
  return (
    <p>
      {text.inOtherMonths(otherCount)}{' '}
      <Link onPress={() => chooseWorkingMonth(site, ALL_TIME)}>{text.showAll}</Link>
    </p>
  );
}

/** Opens the exceptions screen, filtered by the open exceptions of the period. */
export function showOpenExceptions({ period }: CheckSummary, rule?: string): void {
  openFilteredList('exceptions', {
    status: ['open'],
    ...(period ? { period: period.period } : {}),
    ...(rule ? { rule: [rule] } : {}),
  });
}

interface FigureProps {
  readonly name: string;
  readonly note: string;
  readonly hint?: string;
  readonly tone?: 'bad' | undefined;
  readonly children: ReactNode;
}

function Figure({ name, note, hint, tone, children }: FigureProps) {
  return (
    <div {...(hint ? { title: hint } : {})}>
      <dt>{name}</dt>
      <dd>
        <b className={tone === 'bad' ? 'figure-bad' : ''}>{children}</b>
        <small>{note}</small>
      </dd>
    </div>
  );
}
