import { CircleCheckBig, CircleDashed } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CheckSummary } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Link } from '../controls/link.tsx';
import { Ago, Money } from '../controls/values.tsx';
import { SeverityIcon } from '../exceptions/looks.tsx';
import { setTab, showFiltered } from '../view/view.ts';
import { monthText } from '../words/moments.ts';
import { counted, countText } from '../words/numbers.ts';
import { words } from '../words/words.ts';
import { ALL, CHOSEN } from './use-periods.ts';

const text = words.overview;

interface StandingProps {
  readonly summary: CheckSummary;
  readonly currency: string;
}

/** Where the books stand, in a sentence and its figures. */
export function Standing({ summary, currency }: StandingProps) {
  const { exceptions, webhooks, checked } = summary;
  return (
    <section className="standing" aria-label={text.figures}>
      <Verdict summary={summary} />
      <dl className="standing-figures">
        <Figure name={text.stake} hint={text.stakeHint} note={unassignedText(summary)}>
          <Money cents={exceptions.at_stake_in_cents} currency={currency} />
        </Figure>
        <Figure
          name={text.notAccepted}
          note={text.ofWebhooks(webhooks.total)}
          tone={webhooks.not_accepted > 0 ? 'bad' : undefined}
        >
          {countText(webhooks.not_accepted)}
        </Figure>
        <Figure
          name={text.accepted}
          note={exceptions.closed > 0 ? text.closed(exceptions.closed) : text.withReason}
        >
          {countText(exceptions.accepted)}
        </Figure>
        <Figure
          name={text.lastChecked}
          note={checked.stale ?? (checked.waiting > 0 ? text.waiting(checked.waiting) : text.upToDate)}
        >
          {checked.at === null ? text.never : <Ago at={checked.at} />}
        </Figure>
      </dl>
    </section>
  );
}

function Verdict({ summary }: { readonly summary: CheckSummary }) {
  const { exceptions, period, checked } = summary;
  const month = period && monthText(period.period);
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
  if (exceptions.open === 0) {
    return (
      <header className="verdict verdict-good">
        <CircleCheckBig size={30} strokeWidth={1.7} aria-hidden="true" />
        <div>
          <h2>{month ? text.clear(month) : text.clearEver}</h2>
          <p>{exceptions.accepted > 0 ? text.clearAccepted(exceptions.accepted) : text.clearText}</p>
          <Elsewhere summary={summary} />
        </div>
      </header>
    );
  }
  return (
    <header className="verdict">
      <div>
        <h2>
          {text.open(exceptions.open)} <span>{month ? text.openIn(month) : text.openEver}</span>
        </h2>
        <ul className="verdict-split">
          {summary.by_severity.map(({ severity, open }) => (
            <li key={severity} className={open === 0 ? 'verdict-none' : ''}>
              <SeverityIcon severity={severity} />
              {counted(
                open,
                words.exceptions.severities[severity].toLowerCase(),
                words.exceptions.severitiesMany[severity],
              )}
            </li>
          ))}
        </ul>
        <Elsewhere summary={summary} />
      </div>
    </header>
  );
}

function unassignedText({ exceptions: { open, unassigned } }: CheckSummary): string {
  if (open === 0) return text.nothingOpen;
  return unassigned === 0 ? text.allAssigned : text.unassigned(unassigned);
}

/** A month that ties out says nothing of the others. */
function Elsewhere({ summary: { site, period, exceptions } }: { readonly summary: CheckSummary }) {
  const { data: whole } = useQuery('check.summary', period ? { site } : null);
  const others = (whole?.exceptions.open ?? 0) - exceptions.open;
  if (others <= 0) return null;
  return (
    <p>
      {text.elsewhere(others)} <Link onPress={() => setTab(CHOSEN, ALL)}>{text.showAll}</Link>
    </p>
  );
}

/** The open exceptions of the period. */
export function showOpen({ period }: CheckSummary, rule?: string): void {
  showFiltered('exceptions', {
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
