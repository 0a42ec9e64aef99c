import { prepareSql, select, type WritableDb } from '../sqlite/connection.ts';
import { compressBody, type StoredBody, webhookBodySql } from './body-compression.ts';

/** Preset dictionary of zlib that contains the keys and typical values of a site's webhook bodies. */
interface BodyDictionary {
  readonly id: number;
  readonly dictionary: Buffer;
}

/**
 * Maximum size of a dictionary in bytes. One body of each event of the sandbox takes 14 kB without repeated keys. Twice
 * the size would save 3 % and take a third more time.
 */
const MAX_DICTIONARY_BYTES = 16 * 1024;
/** Number of stored webhooks from which the first dictionary is made. Chosen by judgment. */
const MIN_WEBHOOKS = 100;
/** Growth of the number of stored webhooks after which a new dictionary is made, because new events may have appeared. */
const GROWTH = 10;

/** Returns a function that compresses bodies with the site's latest dictionary. Requires a transaction. */
export function createBodyCompressor(db: WritableDb): (text: string) => StoredBody {
  let latest: BodyDictionary | null | undefined;
  return (text) => {
    if (latest === undefined) latest = findBodyDictionary(db);
    const body = latest === null ? text : compressBody(text, latest.dictionary);
    return { body, body_dictionary: typeof body === 'string' ? null : latest!.id };
  };
}

/**
 * Returns the dictionary for new bodies, or null if the site has too few webhooks. Makes a new dictionary when the log has
 * grown tenfold; stored bodies keep theirs. Requires a transaction.
 */
function findBodyDictionary(db: WritableDb): BodyDictionary | null {
  const webhooks = select.value<number>(db, 'SELECT sum(count) FROM webhook_class') ?? 0;
  const latestSql = 'SELECT id, dictionary, webhooks FROM webhook_body_dictionary ORDER BY id DESC LIMIT 1';
  const latest = select.row<BodyDictionary & { webhooks: number }>(db, latestSql);
  if (webhooks < (latest === null ? MIN_WEBHOOKS : latest.webhooks * GROWTH)) return latest;
  const dictionary = buildBodyDictionary(listSampleBodies(db));
  const sql = 'INSERT INTO webhook_body_dictionary (dictionary, webhooks) VALUES (?, ?)';
  return { id: Number(prepareSql(db, sql).run(dictionary, webhooks).lastInsertRowid), dictionary };
}

/** Returns the newest body of each webhook class, the most frequent class first. */
function listSampleBodies(db: WritableDb): string[] {
  const sql = `SELECT ${webhookBodySql} FROM webhook_class CROSS JOIN webhook
      ON webhook.id = (SELECT max(id) FROM webhook WHERE class_id = webhook_class.id)
    ORDER BY count DESC, webhook_class.id`;
  return select.values<string>(db, sql);
}

/**
 * Returns a dictionary with one pair for each key of form-encoded bodies, and other bodies in full. The first bodies come
 * last, because zlib encodes short distances in fewer bits.
 */
export function buildBodyDictionary(bodies: readonly string[]): Buffer {
  const keys = new Set<string>();
  const parts = bodies.map((body) =>
    body
      .split('&')
      .filter((pair) => {
        const key = pair.split('=', 1)[0]!;
        return !keys.has(key) && keys.add(key);
      })
      .map((pair) => `&${pair}`)
      .join(''),
  );
  const dictionary = Buffer.from(parts.reverse().join(''));
  return dictionary.subarray(Math.max(0, dictionary.length - MAX_DICTIONARY_BYTES));
}
