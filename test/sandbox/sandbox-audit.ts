import type { Sandbox } from '../../src/sandbox/index.ts';
import { type JsonObject, parseFormBody } from './sandbox-client.ts';

/** Returns the errors in a sandbox's records. Follows the interface document, independently of the sandbox's code. */
export function auditSandbox(sandbox: Sandbox): string[] {
  const bySubscription = new Map<number, JsonObject[]>();
  for (const statement of sandbox.truth.statements()) {
    const id = statement['subscription_id'] as number;
    bySubscription.set(id, [...(bySubscription.get(id) ?? []), statement]);
  }
  const findings: string[] = [];
  const payments = new Map<number, JsonObject>();
  for (const statements of bySubscription.values()) {
    for (const [i, statement] of statements.entries()) {
      findings.push(
        ...auditStatement(statement),
        ...auditConsecutiveStatements(statements[i - 1], statement),
      );
      for (const entry of transactionsOf(statement)) {
        if (entry['type'] === 'Payment') payments.set(entry['id'] as number, entry);
      }
    }
  }
  findings.push(
    ...auditDuplicatePayments([...payments.values()]),
    ...auditPaymentWebhooks(sandbox, payments),
    ...auditAllocations(sandbox),
  );
  return findings;
}

const readCents = (row: JsonObject, name: string): number => row[name] as number;
const parseTime = (value: unknown): number => Date.parse(value as string);
const transactionsOf = (statement: JsonObject): JsonObject[] => statement['transactions'] as JsonObject[];

/** Returns the effect of a transaction on the balance in cents, by the table of transaction types. */
function balanceEffect(entry: JsonObject): number {
  const amount = readCents(entry, 'amount_in_cents');
  if (entry['success'] === false || entry['type'] === 'Refund') return 0;
  return entry['type'] === 'Payment' ? -amount : amount;
}

function auditStatement(statement: JsonObject): string[] {
  const findings: string[] = [];
  const id = statement['id'];
  const transactions = transactionsOf(statement);
  let runningBalance = readCents(statement, 'starting_balance_in_cents');
  for (const entry of transactions) {
    if (readCents(entry, 'starting_balance_in_cents') !== runningBalance) findings.push(`running ${id}`);
    const expectedBalance = readCents(entry, 'starting_balance_in_cents') + balanceEffect(entry);
    if (expectedBalance !== readCents(entry, 'ending_balance_in_cents')) {
      findings.push(entry['success'] === false ? `failed counts ${id}` : `effect ${id}`);
    }
    runningBalance = readCents(entry, 'ending_balance_in_cents');
    const createdAt = parseTime(entry['created_at']);
    const closedAt =
      statement['closed_at'] === null ? Number.POSITIVE_INFINITY : parseTime(statement['closed_at']);
    if (createdAt < parseTime(statement['opened_at']) || createdAt > closedAt) findings.push(`outside ${id}`);
  }
  const sum = transactions.reduce(
    (total, entry) => total + balanceEffect(entry),
    readCents(statement, 'starting_balance_in_cents'),
  );
  if (sum !== readCents(statement, 'ending_balance_in_cents')) findings.push(`arithmetic ${id}`);
  if (runningBalance !== readCents(statement, 'ending_balance_in_cents')) findings.push(`last balance ${id}`);
  const paidLater = (statement['future_payments'] as JsonObject[]).reduce(
    (total, entry) => total + readCents(entry, 'amount_in_cents'),
    0,
  );
  const unpaid = readCents(statement, 'ending_balance_in_cents') - paidLater > 0;
  if (statement['closed_at'] !== null && unpaid !== (statement['settled_at'] === null))
    findings.push(`settled ${id}`);
  return findings;
}

function auditConsecutiveStatements(previous: JsonObject | undefined, statement: JsonObject): string[] {
  if (!previous) return [];
  const findings: string[] = [];
  const id = statement['id'];
  if (readCents(previous, 'ending_balance_in_cents') !== readCents(statement, 'starting_balance_in_cents'))
    findings.push(`continuity ${id}`);
  if (parseTime(previous['closed_at']) < parseTime(statement['opened_at'])) findings.push(`gap ${id}`);
  if (parseTime(previous['closed_at']) > parseTime(statement['opened_at'])) findings.push(`overlap ${id}`);
  return findings;
}

function auditDuplicatePayments(payments: readonly JsonObject[]): string[] {
  const seen = new Set<unknown>();
  const findings: string[] = [];
  for (const entry of payments.filter(({ success }) => success)) {
    const gateway = entry['gateway_transaction_id'];
    const dayKey = [
      entry['subscription_id'],
      entry['amount_in_cents'],
      (entry['created_at'] as string).slice(0, 10),
    ].join();
    if (seen.has(gateway) || seen.has(dayKey)) findings.push(`duplicate payment ${entry['statement_id']}`);
    seen.add(gateway).add(dayKey);
  }
  return findings;
}

/** Finds payments without a webhook, with several webhooks, or with one that was never sent. */
function auditPaymentWebhooks(sandbox: Sandbox, payments: ReadonlyMap<number, JsonObject>): string[] {
  const webhooksByPayment = new Map<number, JsonObject[]>();
  for (const webhook of sandbox.truth.webhooks()) {
    if (!(webhook['event'] as string).startsWith('payment_')) continue;
    const id = Number(new Map(parseFormBody(webhook['body'] as string)).get('payload[transaction][id]'));
    webhooksByPayment.set(id, [...(webhooksByPayment.get(id) ?? []), webhook]);
  }
  const findings: string[] = [];
  for (const [id, payment] of payments) {
    const webhooks = webhooksByPayment.get(id) ?? [];
    if (webhooks.length === 0) findings.push(`no webhook ${payment['statement_id']}`);
    if (webhooks.length > 1) findings.push(`two webhooks ${payment['statement_id']}`);
    if (webhooks.some(({ last_sent_at }) => last_sent_at === null))
      findings.push(`unsent ${payment['statement_id']}`);
  }
  return findings;
}

/** Finds gaps in allocation histories, and prorated upgrades without a charge. */
function auditAllocations(sandbox: Sandbox): string[] {
  const chargedChanges = new Set<string>();
  for (const statement of sandbox.truth.statements()) {
    for (const entry of transactionsOf(statement)) {
      if (entry['type'] !== 'Charge' || entry['component_id'] === null) continue;
      chargedChanges.add(
        [entry['subscription_id'], entry['component_id'], parseTime(entry['created_at'])].join(),
      );
    }
  }
  const findings: string[] = [];
  for (const pair of sandbox.truth.components()) {
    const oldestFirst = sandbox.truth.allocations(pair).reverse();
    let quantity = 0;
    for (const allocation of oldestFirst) {
      if (allocation['previous_quantity'] !== quantity) findings.push(`chain ${pair.subscription_id}`);
      quantity = allocation['quantity'] as number;
      const isUpgrade = quantity > (allocation['previous_quantity'] as number);
      const scheme = allocation['proration_upgrade_scheme'] as string | undefined;
      const key = [pair.subscription_id, pair.component_id, parseTime(allocation['timestamp'])].join();
      if (isUpgrade && scheme?.startsWith('prorate') && !chargedChanges.has(key))
        findings.push(`no charge ${pair.subscription_id}`);
    }
  }
  return findings;
}
