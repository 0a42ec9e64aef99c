import { type BillingDataFormat, decodeResponse } from '../../src/billing/http/response-decoding.ts';
import { createListResponseReader } from '../../src/billing/records/response-readers.ts';
import { webhookRecordShape } from '../../src/billing/records/webhooks.ts';
import { encodeListJson, encodeListXml, type SentRecord } from '../billing/record-encoders.ts';

/**
 * Measures decoding a page of the webhook log into records, compared with `JSON.parse` of the same page. Both are
 * measured alternately, so that other load affects both. The figure is the best turn, and `spread` is how far the median
 * is above it.
 */

const ROWS = 200;
const TURNS = 40;
const PAGES_A_TURN = 25;

function body(index: number): string {
  const fields: string[] = [
    `id=${141_765_032 + index}`,
    'event=statement_settled',
    'payload[site][id]=31615',
  ];
  for (let at = 0; fields.join('&').length < 1450; at++) {
    fields.push(`payload[statement][transactions][${at}][memo]=Timesheet%20Users%3A%2018%20Users`);
  }
  return fields.join('&');
}

function row(index: number): SentRecord {
  const failed = index % 5 === 0;
  const second = String(index % 60).padStart(2, '0');
  const at = `2016-11-08T16:22:${second}-05:00`;
  return {
    event: 'statement_settled',
    id: 141_765_032 + index,
    created_at: at,
    last_error: failed ? '404 Resource Not Found (retry 5 of 5)' : null,
    last_error_at: failed ? `2016-11-08T16:43:${second}-05:00` : null,
    accepted_at: failed ? null : at,
    last_sent_at: at,
    last_sent_url: 'http://requestb.in/11u45x71',
    successful: !failed,
    body: body(index),
    signature: '7c606ec4628ce75ec46e284097ce163a',
    signature_hmac_sha_256: '40f25e83dd324508bb2149e3e525821922fb210535ebfbfa81e7ab951996b41d',
  };
}

const rows = Array.from({ length: ROWS }, (_, index) => row(index));
const jsonText = encodeListJson('webhooks', rows);
const pages: Record<BillingDataFormat, Buffer> = {
  json: Buffer.from(jsonText),
  xml: Buffer.from(encodeListXml('webhooks', rows)),
};
const read = createListResponseReader('webhooks', webhookRecordShape);

function decodeRows(format: BillingDataFormat): number {
  const { value, problems } = decodeResponse(pages[format], {}, format, read);
  if (value.length !== ROWS || problems.length > 0) throw new Error(`the ${format} page was not read whole`);
  return value.length;
}

const decoders = {
  parse: () => (JSON.parse(jsonText) as unknown[]).length,
  bytes_and_parse: () => (JSON.parse(pages.json.toString('utf8')) as unknown[]).length,
  json: () => decodeRows('json'),
  xml: () => decodeRows('xml'),
};
type Decoder = keyof typeof decoders;
const names = Object.keys(decoders) as Decoder[];

const turns: Record<Decoder, number[]> = { parse: [], bytes_and_parse: [], json: [], xml: [] };
for (let turn = -5; turn < TURNS; turn++) {
  for (const name of names) {
    const started = performance.now();
    for (let page = 0; page < PAGES_A_TURN; page++) decoders[name]();
    if (turn >= 0) turns[name].push(((performance.now() - started) * 1000) / PAGES_A_TURN);
  }
}

const best = (way: Decoder) => Math.min(...turns[way]);
const median = (way: Decoder) => turns[way].toSorted((a, b) => a - b)[TURNS / 2] as number;
const rounded = (value: number, digits: number) => Number(value.toFixed(digits));

function report(name: string, way: Decoder, against: Decoder): void {
  const measure = {
    name,
    value: rounded(best(way), 1),
    unit: 'us/page',
    baseline: rounded(best(against), 1),
    ratio: rounded(best(way) / best(against), 3),
    n: TURNS,
    spread: rounded(median(way) / best(way) - 1, 3),
  };
  process.stdout.write(`${JSON.stringify(measure)}\n`);
}

report('decode webhooks page, JSON, against JSON.parse', 'json', 'parse');
report('decode webhooks page, JSON, against bytes to text and JSON.parse', 'json', 'bytes_and_parse');
report('decode webhooks page, XML, against JSON.parse of the JSON page', 'xml', 'parse');
report('decode webhooks page, XML, against the JSON page decoded', 'xml', 'json');
