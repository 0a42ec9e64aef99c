import { effectRowOf } from '../../ledger/index.ts';
import type { Account } from '../account.ts';
import {
  type ArithmeticLine,
  type Evidence,
  type Finding,
  makeFinding,
  statementEvidence,
  transactionEvidence,
  webhookEvidence,
} from '../finding.ts';
import { isHeldAt } from '../held.ts';
import type {
  StatementRecord,
  ToldStatement,
  ToldTransaction,
  TransactionRecord,
  WebhookRecord,
} from '../record.ts';
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
  const statements = new Map(account.footings.map(({ statement }) => [statement.id, statement]));
  for (const webhook of account.record.webhooks) {
    const { statement, transactions } = webhook.telling;
    const held =
      statement === null || look.suspects.has(statement.id) ? undefined : statements.get(statement.id);
    const differences = statement && held ? statementDifferences(statement, held) : [];
    for (const told of transactions) {
      const difference = transactionDifference(account, webhook, told, look);
      if (difference !== null) differences.push(difference);
    }
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
function statementDifferences(told: ToldStatement, held: StatementRecord): Disagreement[] {
  const differences: Disagreement[] = [];
  const compare = (verb: string, label: string, says: number | null, is: number | null): void => {
    if (says === null || is === null || says === is) return;
    const what = `statement ${held.id} ${verb} ${money(says)}, but it ${verb} ${money(is)}`;
    differences.push({ what, label, told: says, held: is, evidence: statementEvidence(held) });
  };
  compare('opens at', 'Opening balance', told.starting_balance_in_cents, held.starting_balance_in_cents);
  if (told.closed && held.closed_at !== null) {
    compare('closed at', 'Closing balance', told.ending_balance_in_cents, held.ending_balance_in_cents);
  }
  return differences;
}

function transactionDifference(
  account: Account,
  webhook: WebhookRecord,
  told: ToldTransaction,
  look: Look,
): Disagreement | null {
  const place = account.places.get(told.id);
  if (place === undefined) return isMissing(account, webhook, told, look) ? missing(told) : null;
  const { transaction, footing } = place;
  const what = look.suspects.has(footing.statement.id) ? null : whatDiffers(told, transaction);
  if (what === null) return null;
  return {
    what,
    label: `Transaction ${told.id}`,
    told: told.amount_in_cents,
    held: transaction.amount_in_cents,
    evidence: transactionEvidence(footing.statement.id, transaction),
  };
}

function whatDiffers(told: ToldTransaction, held: TransactionRecord): string | null {
  const [says, is] = [told.amount_in_cents, held.amount_in_cents];
  if (says !== null && Math.abs(says) !== Math.abs(is)) {
    return `transaction ${told.id} is of ${money(says)}, but it is of ${money(is)}`;
  }
  if (told.success !== null && held.success !== null && told.success !== held.success) {
    const words = (success: boolean): string => (success ? 'succeeded' : 'failed');
    return `transaction ${told.id} ${words(told.success)}, but the statement says it ${words(held.success)}`;
  }
  if (told.transaction_type === null || told.transaction_type === held.transaction_type) return null;
  const saysType = effectRowOf({ transaction_type: told.transaction_type, type: null });
  const isType = effectRowOf(held);
  if (saysType === null || isType === null || saysType === isType) return null;
  return `transaction ${told.id} is a ${told.transaction_type}, but on the statement it is a ${isType.transaction_type}`;
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
