import { isPaymentMade } from '../../ledger/index.ts';
import type { Account } from '../account.ts';
import { futurePayments } from '../expectations.ts';
import { type Finding, makeFinding, statementEvidence, transactionEvidence } from '../finding.ts';
import type { Footing } from '../footing.ts';
import { isMissed } from '../habits.ts';
import { isHeldAt } from '../held.ts';
import type { FuturePaymentRecord } from '../record.ts';
import type { Look, Rule } from '../rule.ts';
import { line, money } from '../words.ts';

export const futurePayment: Rule = {
  id: 'future-payment',
  version: 2,
  title: 'Future payment that does not hold',
  severity: 'warning',
  scope: 'payment',
  explanation:
    'A statement paid late lists the payments that settled it as “future payments”; each must stand, with the same amount, as a ' +
    'successful payment on a later statement. One that does not, or that is not listed although it settled the statement, means that ' +
    'the two statements tell different stories of the same money.',
  remedy: null,
  check,
};

function check(account: Account, { habits }: Look): Finding[] {
  const found: Finding[] = [];
  for (const [n, footing] of account.footings.entries()) {
    for (const payment of footing.statement.future_payments) {
      const wrong = whatIsWrong(account, n, payment);
      if (wrong !== null) found.push(finding(account, footing, payment, wrong));
    }
  }
  for (const expected of futurePayments(account)) {
    if (isMissed(habits, expected)) found.push(unlisted(account, expected.footing, expected.place));
  }
  return found;
}

interface Wrong {
  readonly what: string;
  readonly actual: number | null;
  readonly place: { readonly statement_id: number; readonly at: Footing } | null;
}

function whatIsWrong(account: Account, n: number, payment: FuturePaymentRecord): Wrong | null {
  if (payment.id === null) return null;
  const first = account.places.get(payment.id);
  if (first === undefined) {
    const held = payment.created_at !== null && isHeldAt(account, payment.created_at);
    if (!held || !account.record.statements_complete) return null;
    return { what: 'no later statement holds it', actual: 0, place: null };
  }
  const all = account.shared.get(payment.id) ?? [first];
  const { footing, transaction } = all.find((each) => account.footings.indexOf(each.footing) > n) ?? first;
  const place = { statement_id: footing.statement.id, at: footing };
  const actual = Math.abs(transaction.amount_in_cents);
  const where = `on statement ${footing.statement.id}`;
  if (!isPaymentMade(transaction)) return { what: `${where} it is no successful payment`, actual: 0, place };
  if (account.footings.indexOf(footing) <= n)
    return { what: `it stands ${where}, which is not later`, actual, place };
  if (payment.amount_in_cents !== null && Math.abs(payment.amount_in_cents) !== actual) {
    return { what: `${where} its amount is ${money(actual)}`, actual, place };
  }
  return null;
}

function finding(
  account: Account,
  { statement }: Footing,
  payment: FuturePaymentRecord,
  { what, actual, place }: Wrong,
): Finding {
  const amount = payment.amount_in_cents === null ? null : Math.abs(payment.amount_in_cents);
  const transaction = place?.at.transactions.find(({ id }) => id === payment.id);
  return makeFinding(futurePayment, {
    subject: {
      subscription_id: account.id,
      statement_id: statement.id,
      ...(payment.id !== null && { transaction_id: payment.id }),
    },
    expected_in_cents: amount,
    actual_in_cents: actual,
    message:
      `Statement ${statement.id} lists payment ${payment.id}${amount === null ? '' : ` of ${money(amount)}`} ` +
      `as a future payment, but ${what}.`,
    arithmetic: [line('As listed under future payments', amount), line('As held', actual)],
    evidence: [
      statementEvidence(statement),
      ...(transaction && place ? [transactionEvidence(place.statement_id, transaction)] : []),
    ],
  });
}

function unlisted(account: Account, { statement }: Footing, place: Account['payments'][number]): Finding {
  const { transaction, footing } = place;
  const amount = Math.abs(transaction.amount_in_cents);
  return makeFinding(futurePayment, {
    subject: { subscription_id: account.id, statement_id: statement.id, transaction_id: transaction.id },
    identity: [`statement ${statement.id}`, `transaction ${transaction.id}`, 'unlisted'],
    difference_in_cents: amount,
    message:
      `Statement ${statement.id} was settled by payment ${transaction.id} of ${money(amount)} on statement ` +
      `${footing.statement.id}, but does not list it under future payments.`,
    arithmetic: [
      line('Due when the statement closed', statement.ending_balance_in_cents),
      line(`Payment ${transaction.id} on statement ${footing.statement.id}`, -amount),
    ],
    evidence: [statementEvidence(statement), transactionEvidence(footing.statement.id, transaction)],
  });
}
