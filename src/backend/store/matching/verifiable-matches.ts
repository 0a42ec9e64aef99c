import type {
  VerifiableMatch,
  VerifiablePayment,
} from '../../../domain/match-verification/verify-matches.ts';
import { prepareSql, type ReadableDb, select } from '../sqlite/connection.ts';

type Certificate = VerifiableMatch['certificate'];
type StoredReason = { readonly certificate?: Certificate };

/** Yields every stored payment, including payments that the service no longer has. */
export function* readVerifiablePayments(db: ReadableDb): Generator<VerifiablePayment> {
  const sql = `SELECT id, statement_id, payment_id, subscription_id, paid_on, amount_in_cents, currency, gateway_transaction_id,
      customer_name, organization FROM match_payment ORDER BY id`;
  type Row = Omit<VerifiablePayment, 'names'> & { customer_name: string | null; organization: string | null };
  for (const { customer_name, organization, ...payment } of prepareSql<Row>(db, sql).iterate())
    yield { ...payment, names: [customer_name, organization].filter((name) => name !== null) };
}

/** Returns the confirmed matches with their members. Only automatic matches have a certificate. */
export function listConfirmedMatches(db: ReadableDb): VerifiableMatch[] {
  const groups = select.rows<{ id: number; reasons: string; changed_by: string | null }>(
    db,
    "SELECT id, reasons, changed_by FROM match_group WHERE status = 'confirmed' ORDER BY id",
  );
  const items = select.rows<{
    group_id: number;
    line_id: number | null;
    transaction_id: number | null;
    allocated_in_cents: number;
  }>(
    db,
    `SELECT group_id, line_id, transaction_id, allocated_in_cents FROM match_item
     WHERE group_id IN (SELECT id FROM match_group WHERE status = 'confirmed')`,
  );
  const itemsOf = Map.groupBy(items, ({ group_id }) => group_id);
  return groups.map(({ id, reasons, changed_by }) => {
    const members = itemsOf.get(id) ?? [];
    return {
      id,
      lines: members.flatMap(({ line_id, allocated_in_cents }) =>
        line_id === null ? [] : [{ id: line_id, allocated_in_cents }],
      ),
      payments: members.flatMap(({ transaction_id, allocated_in_cents }) =>
        transaction_id === null ? [] : [{ id: transaction_id, allocated_in_cents }],
      ),
      adjustments: members.flatMap(({ line_id, transaction_id, allocated_in_cents }) =>
        line_id === null && transaction_id === null ? [{ amount_in_cents: allocated_in_cents }] : [],
      ),
      certificate: changed_by === null ? findCertificate(reasons) : null,
    };
  });
}

function findCertificate(reasons: string): Certificate {
  const stored = JSON.parse(reasons) as readonly StoredReason[];
  return stored.find(({ certificate }) => certificate !== undefined)?.certificate ?? null;
}
