import type {
  ActivityEntry,
  CheckRule,
  CheckSummary,
  ContractOutputs,
  ExceptionDetail,
  ExceptionFilter,
  ExceptionRow,
  StatementDetail,
  WebhookDetail,
} from '../../../src/contract/index.ts';
import type { makeRows } from './rows.ts';

type Rows = ReturnType<typeof makeRows>;
type Activity = ContractOutputs['subscriptions']['activity'];

const noSubject = {
  subscription_id: null,
  statement_id: null,
  transaction_id: null,
  event_id: null,
  webhook_id: null,
  component_id: null,
};

export const fakeRules = (): CheckRule[] => [
  rule('statement-foots', 'Statement does not foot', 'error', 'statement', null, {
    explanation:
      'The opening balance plus charges, less payments and credits, does not add up to the closing balance.',
  }),
  rule('balance-carried-forward', 'Balance not carried forward', 'error', 'chain', null, {
    explanation: 'A statement’s opening balance must equal the closing balance of the previous statement.',
  }),
  rule('webhook-not-accepted', 'Webhook never accepted', 'warning', 'webhook', 'replay', {
    explanation: 'The billing service sent this webhook, and your endpoint never accepted it.',
  }),
  rule('pdf-agrees', 'PDF disagrees with its statement', 'warning', 'statement', null, {
    explanation: 'The PDF must show the figures of its statement.',
    idle: 'No PDF is stored.',
  }),
];

function rule(
  id: string,
  title: string,
  severity: CheckRule['severity'],
  scope: CheckRule['scope'],
  remedy: CheckRule['remedy'],
  more: Partial<CheckRule>,
): CheckRule {
  return {
    rule: id,
    title,
    severity,
    scope,
    remedy,
    explanation: '',
    enabled: true,
    off: null,
    idle: null,
    open: 0,
    accepted: 0,
    ...more,
  };
}

/** Creates an exception for each failed webhook and for about one statement in a hundred. */
export function fakeExceptions(rows: Rows, at: string): ExceptionDetail[] {
  const lost = rows.webhooks.filter(({ delivery }) => delivery === 'failed').map(createDeliveryFinding);
  const wrong = rows.statements.filter((_, place) => place % 97 === 5).map(createFootingFinding);
  return [...wrong, ...lost].map((draft, place) => ({
    ...draft,
    id: place + 1,
    status: 'open',
    assigned: null,
    comments: 0,
    found_at: at,
    changed_at: at,
    history: [{ seq: place + 1, at, user: null, action: 'found', text: null, job: 'j-1' }],
  }));
}

type Draft = Omit<
  ExceptionDetail,
  'id' | 'status' | 'assigned' | 'comments' | 'found_at' | 'changed_at' | 'history'
>;

function createDeliveryFinding(webhook: WebhookDetail): Draft {
  return {
    rule: 'webhook-not-accepted',
    title: 'Webhook never accepted',
    severity: 'warning',
    subject: { ...noSubject, webhook_id: webhook.id, subscription_id: webhook.subscription_id },
    customer_name: null,
    expected_in_cents: null,
    actual_in_cents: null,
    difference_in_cents: 4900,
    at_stake_in_cents: 4900,
    message: `Your accounting system did not receive webhook ${webhook.id} (${webhook.event}), which was rejected (${webhook.last_error}).`,
    members: [],
    dated_on: webhook.created_at?.slice(0, 10) ?? null,
    explanation: fakeRules()[2]?.explanation ?? '',
    remedy: 'replay',
    arithmetic: [{ label: 'Payment not heard of', amount_in_cents: 4900 }],
    rows: [
      { kind: 'webhook', id: webhook.id, text: `Webhook ${webhook.id}, ${webhook.event}`, row: webhook },
    ],
  };
}

function createFootingFinding(statement: StatementDetail): Draft {
  const { starting_balance_in_cents: opening, ending_balance_in_cents: closing } = statement;
  const sum = closing - 1250 - opening;
  return {
    rule: 'statement-foots',
    title: 'Statement does not foot',
    severity: 'error',
    subject: { ...noSubject, statement_id: statement.id, subscription_id: statement.subscription_id },
    customer_name: statement.customer_name,
    expected_in_cents: closing - 1250,
    actual_in_cents: closing,
    difference_in_cents: 1250,
    at_stake_in_cents: 1250,
    message: `Statement ${statement.id} does not close at what its transactions come to: a difference of 12.50.`,
    members: [],
    dated_on: (statement.closed_at ?? statement.opened_at)?.slice(0, 10) ?? null,
    explanation: fakeRules()[0]?.explanation ?? '',
    remedy: null,
    arithmetic: [
      { label: 'Opening balance', amount_in_cents: opening },
      { label: 'Transactions', amount_in_cents: sum },
      { label: 'Closing balance, computed', amount_in_cents: closing - 1250 },
      { label: 'Closing balance as stated', amount_in_cents: closing },
      { label: 'Difference', amount_in_cents: 1250 },
    ],
    rows: [
      { kind: 'statement', id: statement.id, text: `Statement ${statement.id}`, row: statement },
      ...statement.transactions.map((row) => ({
        kind: 'transaction' as const,
        id: row.id,
        statement_id: statement.id,
        text: `${row.transaction_type} ${row.id}`,
        row,
      })),
    ],
  };
}

export function matchesException(row: ExceptionRow, filter: ExceptionFilter): boolean {
  return (
    (!filter.status || filter.status.includes(row.status)) &&
    (!filter.rule || filter.rule.includes(row.rule)) &&
    (!filter.severity || filter.severity.includes(row.severity)) &&
    (filter.assigned === undefined || filter.assigned === row.assigned) &&
    (filter.subscription_id === undefined || filter.subscription_id === row.subject.subscription_id) &&
    (!filter.period || (row.dated_on?.startsWith(filter.period) ?? false)) &&
    (!filter.search || row.message.toLowerCase().includes(filter.search.toLowerCase()))
  );
}

const severities = ['error', 'warning', 'notice'] as const;

export function countByStatus(rows: readonly ExceptionRow[]) {
  const open = rows.filter(({ status }) => status === 'open');
  return {
    open: open.length,
    accepted: rows.filter(({ status }) => status === 'accepted').length,
    at_stake_in_cents: open.reduce((sum, row) => sum + row.at_stake_in_cents, 0),
  };
}

export function sumListedExceptions(
  rows: readonly ExceptionRow[],
): ContractOutputs['exceptions']['list']['sums'] {
  const sum = (some: readonly ExceptionRow[]) => some.reduce((all, row) => all + row.at_stake_in_cents, 0);
  return {
    at_stake_in_cents: sum(rows),
    by_severity: severities.map((severity) => {
      const some = rows.filter((row) => row.severity === severity);
      return { severity, count: some.length, at_stake_in_cents: sum(some) };
    }),
    by_rule: [],
  };
}

export function summarizeChecks(
  site: string,
  month: string | undefined,
  all: readonly ExceptionRow[],
  freshness: CheckSummary['freshness'],
  webhooks: CheckSummary['webhooks'],
  checked: CheckSummary['checked'],
): CheckSummary {
  const rows = all.filter((row) => !month || row.dated_on?.startsWith(month));
  const open = countByStatus(rows).open;
  return {
    site,
    period: month ? { period: month, first: `${month}-01`, last: `${month}-28` } : null,
    exceptions: { ...countByStatus(rows), closed: 2, unassigned: open },
    by_severity: severities.map((severity) => ({
      severity,
      ...countByStatus(rows.filter((row) => row.severity === severity)),
    })),
    by_rule: fakeRules()
      .map(({ rule: id, title, severity }) => ({
        rule: id,
        title,
        severity,
        ...countByStatus(rows.filter((row) => row.rule === id)),
      }))
      .filter((row) => row.open + row.accepted > 0),
    aging: [
      { from_days: 0, to_days: 7, open: 3, at_stake_in_cents: 14_700 },
      { from_days: 8, to_days: 30, open: Math.max(0, open - 3), at_stake_in_cents: 40_000 },
      { from_days: 31, to_days: 60, open: 0, at_stake_in_cents: 0 },
      { from_days: 61, to_days: null, open: 0, at_stake_in_cents: 0 },
    ],
    webhooks,
    freshness,
    checked,
    next: [
      ...(webhooks.not_accepted > 0
        ? [
            {
              kind: 'replay' as const,
              message: `${webhooks.not_accepted} webhooks were never accepted. Send them again.`,
              count: webhooks.not_accepted,
            },
          ]
        : []),
      ...(open > 0
        ? [
            {
              kind: 'review' as const,
              message: `${open} exceptions are open. Work through them.`,
              count: open,
            },
          ]
        : []),
    ],
  };
}

/** Returns the activity of a subscription in time order. */
export function listActivity(rows: Rows, exceptions: readonly ExceptionRow[], id: number): ActivityEntry[] {
  const statements = rows.statements.filter((row) => row.subscription_id === id);
  const entries: ActivityEntry[] = [
    ...statements.flatMap((statement, place): ActivityEntry[] => {
      const before = statements[place - 1];
      const broughtForward = before && {
        from_statement_id: before.id,
        closing_balance_in_cents: before.ending_balance_in_cents,
        step_in_cents: statement.starting_balance_in_cents - before.ending_balance_in_cents,
      };
      const milestones = [
        ['opened', statement.opened_at],
        ['closed', statement.closed_at],
        ['settled', statement.settled_at],
      ] as const;
      return milestones
        .filter(([, at]) => at !== null)
        .map(([milestone, at]) => ({
          kind: 'statement',
          at,
          milestone: milestone,
          statement,
          brought_forward: milestone === 'opened' ? (broughtForward ?? null) : null,
        }));
    }),
    ...statements.flatMap((statement) =>
      statement.transactions.map(
        (transaction): ActivityEntry => ({
          kind: 'transaction',
          at: transaction.created_at,
          transaction,
          effect_in_cents: transaction.amount_in_cents,
        }),
      ),
    ),
    ...rows.webhooks
      .filter((row) => row.subscription_id === id)
      .map((webhook): ActivityEntry => ({ kind: 'webhook', at: webhook.created_at, webhook })),
    ...exceptions
      .filter((row) => row.subject.subscription_id === id)
      .map((exception): ActivityEntry => ({ kind: 'exception', at: exception.found_at, exception })),
  ];
  return entries.sort((a, b) => Date.parse(a.at ?? '') - Date.parse(b.at ?? ''));
}

export function getActivityFigures(
  rows: Rows,
  exceptions: readonly ExceptionRow[],
  id: number,
  entries: readonly ActivityEntry[],
): Activity['figures'] {
  const subscription = rows.subscriptions.find((row) => row.subscription_id === id);
  if (!subscription) return null;
  const count = (kind: ActivityEntry['kind']) => entries.filter((entry) => entry.kind === kind).length;
  return {
    subscription,
    counts: {
      statement: count('statement'),
      transaction: count('transaction'),
      event: 0,
      allocation: 0,
      webhook: count('webhook'),
      exception: count('exception'),
    },
    open_exceptions: exceptions.filter((row) => row.subject.subscription_id === id && row.status === 'open')
      .length,
    not_accepted: 0,
    balance: entries.flatMap((entry) => {
      if (entry.kind !== 'statement' || entry.milestone === 'settled' || entry.at === null) return [];
      const { statement, milestone, at } = entry;
      const cents =
        milestone === 'opened' ? statement.starting_balance_in_cents : statement.ending_balance_in_cents;
      return [{ at, balance_in_cents: cents, statement_id: statement.id }];
    }),
    components: [],
  };
}
