import type { Sandbox } from '../../src/sandbox/index.ts';
import { type Fields, pairs } from './visitor.ts';

/** What is wrong with the books of a sandbox, as an auditor would say it: written from the interface document, not from the sandbox. */
export function audit(sandbox: Sandbox): string[] {
  const bySubscription = new Map<number, Fields[]>();
  for (const statement of sandbox.truth.statements()) {
    const id = statement['subscription_id'] as number;
    bySubscription.set(id, [...(bySubscription.get(id) ?? []), statement]);
  }
  const findings: string[] = [];
  const payments = new Map<number, Fields>();
  for (const statements of bySubscription.values()) {
    for (const [i, statement] of statements.entries()) {
      findings.push(...inStatement(statement), ...between(statements[i - 1], statement));
      for (const entry of transactionsOf(statement)) {
        if (entry['type'] === 'Payment') payments.set(entry['id'] as number, entry);
      }
    }
  }
  findings.push(...repeated([...payments.values()]), ...unheard(sandbox, payments), ...broken(sandbox));
  return findings;
}

const cents = (row: Fields, name: string): number => row[name] as number;
const time = (value: unknown): number => Date.parse(value as string);
const transactionsOf = (statement: Fields): Fields[] => statement['transactions'] as Fields[];

/** What a transaction does to the balance, by the table of transaction types. */
function effect(entry: Fields): number {
  const amount = cents(entry, 'amount_in_cents');
  if (entry['success'] === false || entry['type'] === 'Refund') return 0;
  return entry['type'] === 'Payment' ? -amount : amount;
}

function inStatement(statement: Fields): string[] {
  const findings: string[] = [];
  const id = statement['id'];
  const transactions = transactionsOf(statement);
  let running = cents(statement, 'starting_balance_in_cents');
  for (const entry of transactions) {
    if (cents(entry, 'starting_balance_in_cents') !== running) findings.push(`running ${id}`);
    const after = cents(entry, 'starting_balance_in_cents') + effect(entry);
    if (after !== cents(entry, 'ending_balance_in_cents')) {
      findings.push(entry['success'] === false ? `failed counts ${id}` : `effect ${id}`);
    }
    running = cents(entry, 'ending_balance_in_cents');
    const at = time(entry['created_at']);
    const closed = statement['closed_at'] === null ? Number.POSITIVE_INFINITY : time(statement['closed_at']);
    if (at < time(statement['opened_at']) || at > closed) findings.push(`outside ${id}`);
  }
  const sum = transactions.reduce(
    (total, entry) => total + effect(entry),
    cents(statement, 'starting_balance_in_cents'),
  );
  if (sum !== cents(statement, 'ending_balance_in_cents')) findings.push(`arithmetic ${id}`);
  if (running !== cents(statement, 'ending_balance_in_cents')) findings.push(`last balance ${id}`);
  const later = (statement['future_payments'] as Fields[]).reduce(
    (total, entry) => total + cents(entry, 'amount_in_cents'),
    0,
  );
  const unpaid = cents(statement, 'ending_balance_in_cents') - later > 0;
  if (statement['closed_at'] !== null && unpaid !== (statement['settled_at'] === null))
    findings.push(`settled ${id}`);
  return findings;
}

function between(before: Fields | undefined, statement: Fields): string[] {
  if (!before) return [];
  const findings: string[] = [];
  const id = statement['id'];
  if (cents(before, 'ending_balance_in_cents') !== cents(statement, 'starting_balance_in_cents'))
    findings.push(`continuity ${id}`);
  if (time(before['closed_at']) < time(statement['opened_at'])) findings.push(`gap ${id}`);
  if (time(before['closed_at']) > time(statement['opened_at'])) findings.push(`overlap ${id}`);
  return findings;
}

function repeated(payments: readonly Fields[]): string[] {
  const seen = new Set<unknown>();
  const findings: string[] = [];
  for (const entry of payments.filter(({ success }) => success)) {
    const gateway = entry['gateway_transaction_id'];
    const day = [
      entry['subscription_id'],
      entry['amount_in_cents'],
      (entry['created_at'] as string).slice(0, 10),
    ].join();
    if (seen.has(gateway) || seen.has(day)) findings.push(`duplicate payment ${entry['statement_id']}`);
    seen.add(gateway).add(day);
  }
  return findings;
}

/** Payments without a webhook, with more than one, or with one that was never sent. */
function unheard(sandbox: Sandbox, payments: ReadonlyMap<number, Fields>): string[] {
  const told = new Map<number, Fields[]>();
  for (const webhook of sandbox.truth.webhooks()) {
    if (!(webhook['event'] as string).startsWith('payment_')) continue;
    const id = Number(new Map(pairs(webhook['body'] as string)).get('payload[transaction][id]'));
    told.set(id, [...(told.get(id) ?? []), webhook]);
  }
  const findings: string[] = [];
  for (const [id, payment] of payments) {
    const webhooks = told.get(id) ?? [];
    if (webhooks.length === 0) findings.push(`no webhook ${payment['statement_id']}`);
    if (webhooks.length > 1) findings.push(`two webhooks ${payment['statement_id']}`);
    if (webhooks.some(({ last_sent_at }) => last_sent_at === null))
      findings.push(`unsent ${payment['statement_id']}`);
  }
  return findings;
}

/** Breaks in allocation chains, and prorating upgrades that led to no charge. */
function broken(sandbox: Sandbox): string[] {
  const charged = new Set<string>();
  for (const statement of sandbox.truth.statements()) {
    for (const entry of transactionsOf(statement)) {
      if (entry['type'] !== 'Charge' || entry['component_id'] === null) continue;
      charged.add([entry['subscription_id'], entry['component_id'], time(entry['created_at'])].join());
    }
  }
  const findings: string[] = [];
  for (const pair of sandbox.truth.components()) {
    const oldestFirst = sandbox.truth.allocations(pair).reverse();
    let held = 0;
    for (const allocation of oldestFirst) {
      if (allocation['previous_quantity'] !== held) findings.push(`chain ${pair.subscription_id}`);
      held = allocation['quantity'] as number;
      const up = held > (allocation['previous_quantity'] as number);
      const scheme = allocation['proration_upgrade_scheme'] as string | undefined;
      const key = [pair.subscription_id, pair.component_id, time(allocation['timestamp'])].join();
      if (up && scheme?.startsWith('prorate') && !charged.has(key))
        findings.push(`no charge ${pair.subscription_id}`);
    }
  }
  return findings;
}
