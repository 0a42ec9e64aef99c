import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A fast service with prepared rows in a separate process, so that only the client is measured: `page-server.ts
 * <webhooks> <statements> <ms before each response>`. Sends `{ url }` to its parent process. The parent may change the
 * latency with `{ latency }` and receives the CPU time with `{ spent }`, in ms.
 */
const [webhooks = 10_000, statements = 0, latencyAtFirst = 0] = process.argv.slice(2).map(Number);
let latency = latencyAtFirst;
const STATEMENTS_EACH = 100;
const FIRST = Date.UTC(2026, 0, 1);
const STEP_S = 240;
const FILLING = Buffer.alloc(61_000, 'x');
const pdf = (name: string) =>
  Buffer.concat([Buffer.from(`%PDF-1.7\n${name}`), FILLING, Buffer.from('\n%%EOF\n')]);

const time = (seconds: number) => `${new Date(FIRST + seconds * 1000).toISOString().slice(0, 19)}+00:00`;

function webhook(index: number): string {
  const id = 141_000_000 + index * 3;
  const at = time(index * STEP_S);
  let body = `id=${id}&event=payment_success&payload[subscription][id]=${1 + (index % 5000)}`;
  for (let n = 0; body.length < 1400; n++) {
    body += `&payload[transaction][items][${n}][memo]=Timesheet%20Users%3A%20${index}`;
  }
  return JSON.stringify({
    webhook: {
      id,
      event: index % 7 === 0 ? 'renewal_success' : 'payment_success',
      successful: true,
      created_at: at,
      accepted_at: at,
      last_sent_at: at,
      last_error_at: null,
      last_error: null,
      last_sent_url: 'https://books.example/webhooks',
      body,
      signature: '7c606ec4628ce75ec46e284097ce163a',
    },
  });
}

function statement(index: number): string {
  const at = time(index * 60);
  return JSON.stringify({
    statement: {
      id: 1000 + index,
      subscription_id: 1 + Math.floor(index / STATEMENTS_EACH),
      opened_at: at,
      closed_at: at,
      settled_at: at,
      starting_balance_in_cents: 0,
      ending_balance_in_cents: 0,
      transactions: [],
      events: [],
      future_payments: [],
      created_at: at,
      updated_at: at,
    },
  });
}

/** More rows than this are generated on request, to save memory. */
const READY = 200_000;
const COMMA = Buffer.from(',');
const made = (index: number) => Buffer.from(webhook(index));
const ready = webhooks > READY ? null : Array.from({ length: webhooks }, (_, index) => made(index));
const row = (index: number) => (ready === null ? made(index) : (ready[index] as Buffer));
const list = (items: Buffer[]) =>
  Buffer.concat([
    Buffer.from('['),
    ...items.flatMap((item, at) => (at === 0 ? item : [COMMA, item])),
    Buffer.from(']'),
  ]);

function answer(url: URL): string | Buffer {
  const number = (name: string, fallback: number) => Number(url.searchParams.get(name) ?? fallback);
  const [page, perPage] = [number('page', 1), Math.min(200, number('per_page', 20))];
  const cut = (from: number, to: number, one: (index: number) => Buffer) =>
    list(Array.from({ length: Math.max(0, to - from) }, (_, n) => one(from + n)));
  const { pathname } = url;
  if (pathname === '/webhooks.json') {
    if (url.searchParams.get('status') === 'failed') return '[]';
    const day = (name: string) => {
      const text = url.searchParams.get(name);
      return text === null ? null : (Date.parse(`${text}T00:00:00Z`) - FIRST) / 1000 / STEP_S;
    };
    const low = Math.max(0, Math.ceil(day('since_date') ?? 0));
    const high = Math.min(
      webhooks,
      Math.ceil((day('until_date') ?? Number.POSITIVE_INFINITY) + 86_400 / STEP_S),
    );
    const count = Math.max(0, high - low);
    const [from, to] = [(page - 1) * perPage, Math.min(count, page * perPage)];
    const newest = url.searchParams.get('order') === 'newest_first';
    return cut(from, to, (n) => row(newest ? high - 1 - n : low + n));
  }
  if (pathname === '/statements/ids.json') {
    const ids = Array.from({ length: statements }, (_, index) => 1000 + index);
    return JSON.stringify({ statement_ids: ids.slice((page - 1) * 10_000, page * 10_000) });
  }
  if (pathname.endsWith('.pdf')) return pdf(pathname);
  const subscription = /^\/subscriptions\/(\d+)\/statements\.json$/.exec(pathname)?.[1];
  const read = /^\/statements\/(\d+)\.json$/.exec(pathname)?.[1];
  if (read !== undefined) return statement(Number(read) - 1000);
  const first = (Number(subscription ?? 1) - 1) * STATEMENTS_EACH;
  const last = Math.min(statements, first + STATEMENTS_EACH);
  return cut(first + (page - 1) * perPage, Math.min(last, first + page * perPage), (n) =>
    Buffer.from(statement(n)),
  );
}

const server = createServer((request, response) => {
  const body = answer(new URL(request.url ?? '/', 'http://server'));
  const type = request.url?.endsWith('.pdf') ? 'application/pdf' : 'application/json; charset=utf-8';
  const send = () =>
    response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(body) }).end(body);
  if (latency > 0) setTimeout(send, latency);
  else send();
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.on('message', ({ latency: wanted }: { latency?: number }) => {
  if (wanted !== undefined) latency = wanted;
  const { user, system } = process.cpuUsage();
  process.send?.({ spent: (user + system) / 1000 });
});
process.on('disconnect', () => process.exit());
