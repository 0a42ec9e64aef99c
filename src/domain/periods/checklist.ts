import type { ChecklistStep, ChecklistStepKind } from '../../contract/index.ts';
import { checklistStepLabels } from '../labels/periods.ts';
import { addWorkingDays, type CalendarDate, formatMoney } from '../ledger/index.ts';
import { formatCount } from '../text/format-count.ts';

/** Bank or processor account in a currency, with the open amounts of its schedule. */
export interface ChecklistAccount {
  readonly id: number;
  readonly name: string;
  readonly currency: string;
  /** Sentence on the days that no bank statement of the account proves; null if there are none. */
  readonly qualification: string | null;
  /** Stated balances: none, only one (which proves nothing), or both opening and closing. */
  readonly balances: 'none' | 'one' | 'both';
  /** Null if the workpaper has no schedule of the account. */
  readonly schedule: {
    readonly id: string;
    readonly difference_in_cents: number;
    /** Number of unexplained items. */
    readonly unexplained: number;
    /** True if the open amounts are passed as immaterial. */
    readonly passed: boolean;
  } | null;
}

/** Signature of a period as far as the checklist shows it. */
interface ChecklistSignature {
  readonly name: string;
  readonly at: string;
}

/** Facts about a period from which its checklist follows. */
export interface ChecklistFacts {
  /** Last day of the period. */
  readonly last: CalendarDate;
  /** Sentences that readers of the figures must know, by kind, as in the workpaper. */
  readonly qualifications: readonly { readonly kind: string; readonly message: string }[];
  readonly exceptions: { readonly open: number; readonly accepted: number };
  /** Number of suggested and ambiguous matches. */
  readonly proposals: number;
  readonly accounts: readonly ChecklistAccount[];
  /** Number of ledger files with rows of the period. */
  readonly ledger_files: number;
  /** Number of journal entries that are not discarded, and of those that are not posted. */
  readonly journal: { readonly entries: number; readonly unposted: number };
  /** Figures that changed from the previous month and are not explained. `unexplained` is null if that month is unknown. */
  readonly flux: { readonly previous: string; readonly unexplained: number | null };
  readonly statements: { readonly total: number; readonly confirmed: number };
  readonly submitted: ChecklistSignature | null;
  /** True if the figures differ from the submitted ones. */
  readonly is_changed: boolean;
  readonly reviewed: ChecklistSignature | null;
  readonly closed: ChecklistSignature | null;
}

/** Owner and due date of a step, or a step that a user added. */
export interface StoredChecklistStep {
  readonly step: string;
  /** Title of an own step; null for the others. */
  readonly title: string | null;
  readonly owner: string | null;
  readonly due_on: CalendarDate | null;
  readonly done: ChecklistSignature | null;
}

/** Due date of each kind of step in working days after the month's end. Chosen by judgment. */
const DUE_WORKING_DAYS: Readonly<Record<ChecklistStepKind, number>> = {
  ...{ sync: 1, exceptions: 3, 'bank-files': 2, matching: 3, reconcile: 4, ledger: 4, journal: 5, flux: 5 },
  ...{ certify: 6, submit: 6, review: 8, close: 8, own: 5 },
};

type Verdict = Pick<ChecklistStep, 'state' | 'reason'>;
const done = (reason: string): Verdict => ({ state: 'done', reason });
const open = (reason: string): Verdict => ({ state: 'open', reason });
const unknown = (reason: string): Verdict => ({ state: 'unknown', reason });

/**
 * Returns the checklist of a period: the steps of Tieout with their states, then the steps of users. Stored owners and
 * due dates replace the defaults.
 */
export function listChecklistSteps(
  facts: ChecklistFacts,
  stored: readonly StoredChecklistStep[],
): ChecklistStep[] {
  const byStep = new Map(stored.map((each) => [each.step, each]));
  const toStep = (step: string, kind: ChecklistStepKind, title: string, verdict: Verdict): ChecklistStep => {
    const { owner = null, due_on = null, done: marked = null } = byStep.get(step) ?? {};
    const due = due_on ?? addWorkingDays(facts.last, DUE_WORKING_DAYS[kind]);
    return { step, kind, title, ...verdict, owner, due_on: due, done: marked };
  };
  const steps = findVerdicts(facts).map(([kind, verdict]) =>
    kind === 'reconcile' ? null : toStep(kind, kind, checklistStepLabels[kind], verdict),
  );
  const accounts = facts.accounts.map((account) =>
    toStep(
      `reconcile:${account.id}-${account.currency}`,
      'reconcile',
      `${checklistStepLabels.reconcile} ${account.name} (${account.currency})`,
      judgeAccount(account),
    ),
  );
  const own = stored.flatMap(({ step, title, done: marked }) => {
    const verdict = marked === null ? open('Not marked as done.') : done(formatSignature('Done', marked));
    return title === null ? [] : [toStep(step, 'own', title, verdict)];
  });
  return [...steps.flatMap((step) => step ?? accounts), ...own];
}

const formatSignature = (verb: string, { name, at }: ChecklistSignature): string =>
  `${verb} by ${name} on ${at.slice(0, 10)}.`;

/** Returns the states of the steps of Tieout in order, with a placeholder for those of the accounts. */
function findVerdicts(
  facts: ChecklistFacts,
): (readonly [Exclude<ChecklistStepKind, 'own' | 'reconcile'>, Verdict] | readonly ['reconcile', null])[] {
  const { statements, submitted, reviewed, closed } = facts;
  return [
    ['sync', judgeSync(facts)],
    ['exceptions', judgeExceptions(facts)],
    ['bank-files', judgeBankFiles(facts)],
    ['matching', judgeMatching(facts)],
    ['reconcile', null],
    ['ledger', judgeLedger(facts)],
    ['journal', judgeJournal(facts)],
    ['flux', judgeFlux(facts)],
    ...(statements.total === 0 ? [] : [['certify', judgeStatements(facts)] as const]),
    ['submit', judgeSubmission(facts, submitted)],
    [
      'review',
      reviewed === null
        ? open('The figures have not been approved.')
        : done(formatSignature('Approved', reviewed)),
    ],
    [
      'close',
      closed === null ? open('The period has not been closed.') : done(formatSignature('Closed', closed)),
    ],
  ];
}

const findMessage = ({ qualifications }: ChecklistFacts, wanted: string): string | null =>
  qualifications.find(({ kind }) => kind === wanted)?.message ?? null;

function judgeSync(facts: ChecklistFacts): Verdict {
  const message = findMessage(facts, 'sync');
  return message === null ? done(`The statements are stored through ${facts.last}.`) : open(message);
}

function judgeExceptions(facts: ChecklistFacts): Verdict {
  const { exceptions } = facts;
  if (exceptions.open > 0) return open(`${countWithVerb(exceptions.open, 'exception')} open.`);
  const unchecked = findMessage(facts, 'check');
  if (unchecked !== null) return unknown(unchecked);
  return done(
    exceptions.accepted === 0
      ? 'No exception was found.'
      : `${countWithVerb(exceptions.accepted, 'exception')} accepted, and none is open.`,
  );
}

function judgeBankFiles(facts: ChecklistFacts): Verdict {
  const missing = findMessage(facts, 'bank');
  if (missing !== null) return open(missing);
  const qualified = facts.accounts.filter(({ qualification }) => qualification !== null);
  const uncovered = qualified.find(({ balances }) => balances === 'both');
  if (uncovered !== undefined) return open(uncovered.qualification ?? '');
  if (qualified[0] !== undefined) return unknown(qualified[0].qualification ?? '');
  const covered = facts.accounts.filter(({ balances }) => balances === 'both').length;
  return covered === 0
    ? unknown('No bank statement states a balance, so missing days would not be noticed.')
    : done(`Bank statements of ${formatCount(covered, 'account')} cover every day of the month.`);
}

function judgeMatching(facts: ChecklistFacts): Verdict {
  const missing = findMessage(facts, 'bank');
  if (missing !== null) return unknown(missing);
  const stale = findMessage(facts, 'match');
  if (stale !== null) return open(stale);
  if (facts.proposals > 0)
    return open(`${countWithVerb(facts.proposals, 'suggested match', 'suggested matches')} not decided.`);
  const unexplained = findMessage(facts, 'unexplained');
  if (unexplained !== null) return open(unexplained);
  return done('Every suggested match is decided, and every outstanding item is explained.');
}

function judgeAccount({ qualification, schedule, currency }: ChecklistAccount): Verdict {
  if (schedule === null) return unknown('The workpaper has no schedule of this account.');
  const { id, difference_in_cents: cents, unexplained, passed } = schedule;
  if (!passed && cents !== 0) return open(`${id} shows a difference of ${formatMoney(cents)} ${currency}.`);
  if (!passed && unexplained > 0)
    return open(`${id} contains ${formatCount(unexplained, 'unexplained item')}.`);
  if (qualification !== null) return unknown(qualification);
  return done(passed ? `The open amounts of ${id} are passed as immaterial.` : `${id} shows no difference.`);
}

function judgeLedger(facts: ChecklistFacts): Verdict {
  if (facts.ledger_files === 0) return open('No imported ledger file has rows of the month.');
  const missing = findMessage(facts, 'ledger');
  if (missing !== null) return open(missing);
  const verb = facts.ledger_files === 1 ? 'has' : 'have';
  return done(`${formatCount(facts.ledger_files, 'ledger file')} ${verb} rows of the month.`);
}

function judgeJournal({ journal: { entries, unposted } }: ChecklistFacts): Verdict {
  if (unposted > 0) return open(`${countWithVerb(unposted, 'journal entry', 'journal entries')} not posted.`);
  return entries === 0
    ? unknown('No journal entry has been added, so Tieout does not know whether one is needed.')
    : done(`${countWithVerb(entries, 'journal entry', 'journal entries')} posted.`);
}

function judgeFlux({ flux: { previous, unexplained } }: ChecklistFacts): Verdict {
  if (unexplained === null) return unknown(`No record of ${previous} is stored, so the flux is unknown.`);
  return unexplained > 0
    ? open(`The flux of ${formatCount(unexplained, 'figure')} against ${previous} is not explained.`)
    : done(`No figure has an unexplained flux against ${previous}.`);
}

function judgeStatements({ statements: { total, confirmed } }: ChecklistFacts): Verdict {
  const reason = `${confirmed} of ${formatCount(total, 'statement')} ${total === 1 ? 'is' : 'are'} confirmed.`;
  return confirmed < total ? open(reason) : done(reason);
}

function judgeSubmission({ is_changed }: ChecklistFacts, submitted: ChecklistSignature | null): Verdict {
  if (submitted === null) return open('The figures have not been submitted.');
  if (is_changed) return open('The figures have changed since they were submitted.');
  return done(formatSignature('Submitted', submitted));
}

const countWithVerb = (count: number, singular: string, plural?: string): string =>
  `${formatCount(count, singular, plural)} ${count === 1 ? 'is' : 'are'}`;
