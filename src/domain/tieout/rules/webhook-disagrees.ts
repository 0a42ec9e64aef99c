import { effectRowOf } from '../../ledger/index.ts';
import { type Account, isHeldAt } from '../account.ts';
import {
  type ArithmeticLine,
  type Evidence,
  type Finding,
  makeFinding,
  statementEvidence,
  transactionEvidence,
  webhookEvidence,
} from '../finding.ts';
import type { ToldStatement, ToldTransaction, WebhookRecord } from '../record.ts';
import type { Look, Rule } from '../rule.ts';
import { line, money } from '../words.ts';

export const webhookDisagrees: Rule = {
  id: 'webhook-disagrees',
  version: 1,
  title: 'Webhook tells another story than the statement',
  severity: 'warning',
  scope: 'webhook',
  explanation:
    'Your books were told of this statement, or of a payment on it, by a webhook whose figures are not those the statement shows today. ' +
    'What the books hold is therefore not what the billing service now says. One of the two was changed after the webhook was ' +
    'sent; compare both and correct the books.',
  remedy: null,
  check,
};

interface Disagreement {
  /** What differs, in words; the figures in it are of the webhook and then of the statement. */
  readonly what: string;
  readonly label: string;
  readonly told: number | null;
  readonly held: number | null;
  readonly evidence: Evidence | null;
}

function check(account: Account, look: Look): Finding[] {
  const found: Finding[] = [];
  for (const webhook of account.record.webhooks) {
    const { statement, transactions } = webhook.telling;
    const differences = [
      ...(statement === null ? [] : statementDifferences(account, statement, look)),
      ...transactions.flatMap((told) => transactionDifferences(account, webhook, told, look)),
    ];
    if (differences.length > 0) found.push(finding(account, webhook, differences));
  }
  return found;
}

function finding(account: Account, webhook: WebhookRecord, differences: readonly Disagreement[]): Finding {
  const first = differences[0] as Disagreement;
  const more = differences.length > 1 ? `, and ${differences.length - 1} more of its figures differ` : '';
  const { statement_id, transaction_id } = webhook.telling;
  return makeFinding(webhookDisagrees, {
    subject: {
      subscription_id: account.id,
      webhook_id: webhook.id,
      ...(statement_id !== null && { statement_id }),
      ...(transaction_id !== null && { transaction_id }),
    },
    identity: [`webhook ${webhook.id}`],
    expected_in_cents: first.held,
    actual_in_cents: first.told,
    message: `Webhook ${webhook.id} (${webhook.event}) says ${first.what}${more}.`,
    arithmetic: differences.flatMap((each): ArithmeticLine[] => [
      line(`${each.label}, as the webhook says`, each.told),
      line(`${each.label}, as held`, each.held),
    ]),
    evidence: [webhookEvidence(webhook), ...differences.flatMap(({ evidence }) => evidence ?? [])],
  });
}

/** Balances do not change once a statement is closed; before, a webhook tells of a moment that has passed. */
function statementDifferences(account: Account, told: ToldStatement, look: Look): Disagreement[] {
  const held = account.footings.find(({ statement }) => statement.id === told.id)?.statement;
  if (held === undefined || look.suspects.has(held.id)) return [];
  const figures = [
    ['opens at', 'Opening balance', told.starting_balance_in_cents, held.starting_balance_in_cents],
    ...(told.closed && held.closed_at !== null
      ? [
          [
            'closed at',
            'Closing balance',
            told.ending_balance_in_cents,
            held.ending_balance_in_cents,
          ] as const,
        ]
      : []),
  ] as const;
  return figures.flatMap(([verb, label, says, is]): Disagreement[] => {
    if (says === null || is === null || says === is) return [];
    const what = `statement ${held.id} ${verb} ${money(says)}, but it ${verb} ${money(is)}`;
    return [{ what, label, told: says, held: is, evidence: statementEvidence(held) }];
  });
}

function transactionDifferences(
  account: Account,
  webhook: WebhookRecord,
  told: ToldTransaction,
  look: Look,
): Disagreement[] {
  const place = account.places.get(told.id)?.[0];
  if (place === undefined) return isMissing(account, webhook, told, look) ? [missing(told)] : [];
  const { transaction, footing } = place;
  if (look.suspects.has(footing.statement.id)) return [];
  const evidence = transactionEvidence(footing.statement.id, transaction);
  const label = `Transaction ${told.id}`;
  const [says, is] = [told.amount_in_cents, transaction.amount_in_cents];
  if (says !== null && Math.abs(says) !== Math.abs(is)) {
    const what = `transaction ${told.id} is of ${money(says)}, but it is of ${money(is)}`;
    return [{ what, label, told: says, held: is, evidence }];
  }
  if (told.success !== null && transaction.success !== null && told.success !== transaction.success) {
    const words = (success: boolean): string => (success ? 'succeeded' : 'failed');
    const what = `transaction ${told.id} ${words(told.success)}, but the statement says it ${words(transaction.success)}`;
    return [{ what, label, told: says, held: is, evidence }];
  }
  return isOtherType(told, transaction) ? [otherType(told, transaction, evidence)] : [];
}

/** A transaction that was told of, and is on no statement although our copies are young enough to show it. */
function isMissing(account: Account, webhook: WebhookRecord, told: ToldTransaction, look: Look): boolean {
  const { statement_id } = webhook.telling;
  if (!account.record.statements_complete || told.amount_in_cents === 0) return false;
  if (statement_id !== null && look.suspects.has(statement_id)) return false;
  return webhook.created_at !== null && isHeldAt(account, webhook.created_at);
}

function missing(told: ToldTransaction): Disagreement {
  const amount = told.amount_in_cents === null ? '' : ` of ${money(told.amount_in_cents)}`;
  return {
    what: `there is a transaction ${told.id}${amount}, but no statement holds it`,
    label: `Transaction ${told.id}`,
    told: told.amount_in_cents,
    held: told.amount_in_cents === null ? null : 0,
    evidence: null,
  };
}

function isOtherType(told: ToldTransaction, held: { transaction_type: string | null; type: string | null }) {
  if (told.transaction_type === null) return false;
  const [says, is] = [
    effectRowOf({ transaction_type: told.transaction_type, type: null }),
    effectRowOf(held),
  ];
  return says !== null && is !== null && says !== is;
}

function otherType(
  told: ToldTransaction,
  held: { transaction_type: string | null; amount_in_cents: number },
  evidence: Evidence,
): Disagreement {
  const what = `transaction ${told.id} is a ${told.transaction_type}, but on the statement it is a ${held.transaction_type}`;
  return {
    what,
    label: `Transaction ${told.id}`,
    told: told.amount_in_cents,
    held: held.amount_in_cents,
    evidence,
  };
}
