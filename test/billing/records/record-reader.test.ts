import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/billing/formats/json-value.ts';
import { UnreadableResponseError } from '../../../src/billing/formats/unreadable-response.ts';
import { decodeBody, type ResponseReaderName } from '../decode-body.ts';
import * as sample from '../sample-records.ts';

/** Tests tolerant reading: unexpected content is accepted, and unreadable values are reported with their path. */

function readWebhooks(...rows: JsonValue[]) {
  return decodeBody('webhooks', 'json', JSON.stringify(rows));
}
function readWebhook(fields: Record<string, JsonValue>) {
  return readWebhooks({ webhook: { ...sample.webhook, ...fields } });
}
function readStatement(fields: Record<string, JsonValue>) {
  return decodeBody('statement', 'json', JSON.stringify({ statement: { ...sample.statement, ...fields } }));
}
function readAllocations(text: string) {
  return decodeBody('allocations', 'json', text);
}

describe('unknown response fields', () => {
  it('are stored as sent, including nested ones', () => {
    const payment = { id: 1, amounts: [1, 2.5, null], success: true };
    expect(readWebhook({ payment }).value[0]?.extra).toMatchObject({ payment });
  });

  it('do not change an object prototype', () => {
    const { value } = decodeBody('webhooks', 'json', '[{"webhook":{"id":1,"__proto__":{"polluted":true}}}]');
    expect(Object.getPrototypeOf(value[0]?.extra)).toBe(Object.prototype);
    expect(Object.hasOwn(value[0]?.extra ?? {}, '__proto__')).toBe(true);
    const xml =
      '<webhooks type="array"><webhook><id>1</id><__proto__><polluted>1</polluted></__proto__></webhook></webhooks>';
    expect(Object.hasOwn(decodeBody('webhooks', 'xml', xml).value[0]?.extra ?? {}, '__proto__')).toBe(true);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('next to the record in its wrapper are stored with it', () => {
    const { value } = readWebhooks({ webhook: { id: 1 }, links: ['x'] });
    expect(value[0]).toMatchObject({ id: 1, extra: { links: ['x'] } });
  });

  it('with a number too large for a double are stored as text', () => {
    const text =
      '[{"webhook":{"id":1,"big":12345678901234567890,"deep":{"long":0.1234567890123456789,"short":2.50}}}]';
    expect(decodeBody('webhooks', 'json', text).value[0]?.extra).toEqual({
      big: '12345678901234567890',
      deep: { long: '0.1234567890123456789', short: 2.5 },
    });
  });
});

describe('numbers in responses', () => {
  it('are read from text, which bulk creation returns', () => {
    const sent = { ...sample.allocation, component_id: '11', quantity: '1', previous_quantity: '2.50' };
    expect(readAllocations(JSON.stringify([{ allocation: sent }])).value[0]).toMatchObject({
      component_id: 11,
      quantity: 1,
      previous_quantity: '2.5',
    });
  });

  it('with decimals are exact, whether sent as a number or as text', () => {
    const body = (quantity: string) =>
      JSON.stringify([{ allocation: sample.allocation }]).replace('"quantity":10', `"quantity":${quantity}`);
    expect(readAllocations(body('2.5')).value[0]?.quantity).toBe('2.5');
    expect(readAllocations(body('2.500')).value[0]?.quantity).toBe('2.5');
    expect(readAllocations(body('10.0')).value[0]?.quantity).toBe(10);
    expect(readAllocations(body('1e2')).value[0]?.quantity).toBe(100);
    expect(readAllocations(body('0.10000000000000000001')).value[0]?.quantity).toBe('0.10000000000000000001');
    expect(readAllocations(body('9007199254740993')).value[0]?.quantity).toBe('9007199254740993');
    expect(readAllocations(body('-0')).value[0]?.quantity).toBe(0);
  });

  it('that are inexact are not rounded: a row with an inexact id is rejected, an optional amount is stored as extra', () => {
    const big = decodeBody('webhooks', 'json', '[{"webhook":{"id":9007199254740993,"event":"x"}}]');
    expect(big.value).toEqual([]);
    expect(big.problems).toEqual([
      {
        path: 'webhooks[0].id',
        reason: 'is not an exact whole number',
        raw: '{"webhook":{"id":"9007199254740993","event":"x"}}',
        outcome: 'rejected',
      },
    ]);
    const amount = readStatement({ ending_balance_in_cents: 10.5 });
    expect(amount.value).toMatchObject({
      ending_balance_in_cents: null,
      extra: { ending_balance_in_cents: 10.5 },
    });
    expect(amount.problems).toEqual([
      {
        path: 'statement.ending_balance_in_cents',
        reason: 'is not an exact whole number',
        raw: '10.5',
        outcome: 'kept',
      },
    ]);
  });
});

describe('null and missing response fields', () => {
  it('are accepted except for fields that identify the record', () => {
    const { value, problems } = readWebhooks({
      webhook: { id: 5, successful: null, body: null, created_at: null },
    });
    expect(problems).toEqual([]);
    expect(value).toEqual([
      {
        id: 5,
        successful: false,
        event: '',
        body: null,
        signature: null,
        created_at: null,
        accepted_at: null,
        last_sent_at: null,
        last_error_at: null,
        last_sent_url: null,
        last_error: null,
        extra: {},
      },
    ]);
  });

  it.each([
    ['webhooks', 'webhook', sample.webhook, ['id']],
    [
      'allocations',
      'allocation',
      sample.allocation,
      ['component_id', 'subscription_id', 'quantity', 'previous_quantity', 'timestamp'],
    ],
    ['statements', 'statement', sample.statement, ['id', 'subscription_id']],
  ] as [ResponseReaderName, string, Record<string, JsonValue>, string[]][])(
    'reject only the row of %s that lacks identifying fields, and report its path',
    (list, wrapper, fields, needed) => {
      for (const field of Object.keys(fields)) {
        for (const without of [null, undefined]) {
          const row = { ...fields, [field]: without };
          const sent = [{ [wrapper]: fields }, { [wrapper]: row }];
          const { value, problems } = decodeBody(list, 'json', JSON.stringify(sent));
          const refused = needed.includes(field);
          expect(value).toHaveLength(refused ? 1 : 2);
          expect(problems.map(({ path, outcome }) => [path, outcome])).toEqual(
            refused ? [[`${list}[1].${field}`, 'rejected']] : [],
          );
        }
      }
    },
  );
});

describe('unreadable response values', () => {
  it('are reported and stored as sent, without losing the row', () => {
    const { value, problems } = readWebhook({
      signature: { md5: 'x' },
      successful: 'perhaps',
      last_error_at: 12,
    });
    expect(value[0]).toMatchObject({ signature: null, successful: false, last_error_at: null });
    expect(value[0]?.extra).toMatchObject({
      signature: { md5: 'x' },
      successful: 'perhaps',
      last_error_at: 12,
    });
    expect(problems.map(({ path, reason, raw, outcome }) => [path, reason, raw, outcome])).toEqual([
      ['webhooks[0].successful', 'is neither true nor false', '"perhaps"', 'kept'],
      ['webhooks[0].signature', 'is not text', '{"md5":"x"}', 'kept'],
      ['webhooks[0].last_error_at', 'is not a date and time', '12', 'kept'],
    ]);
  });

  it('inside a statement are reported with their full path, and the statement is included', () => {
    const { value, problems } = readStatement({
      transactions: [sample.charge, { ...sample.payment, amount_in_cents: '12.50' }, 'what'],
      events: [{ event: { ...sample.event, key: null } }],
      future_payments: 7,
    });
    expect(value).toMatchObject({
      transactions: [{ id: sample.charge.id }],
      events: [],
      future_payments: [],
      extra: { future_payments: 7 },
    });
    expect(problems.map(({ path, outcome }) => [path, outcome])).toEqual([
      ['statement.future_payments', 'kept'],
      ['statement.transactions[1].amount_in_cents', 'rejected'],
      ['statement.transactions[2]', 'rejected'],
      ['statement.events[0].key', 'rejected'],
    ]);
  });

  it('reject only their own row and are reported with its path', () => {
    const { value, problems } = readWebhooks(
      { webhook: sample.webhook },
      null,
      17,
      { webhook: { id: 'seventeen' } },
      { webhook: { ...sample.webhook, id: 18 } },
    );
    expect(value.map(({ id }) => id)).toEqual([sample.webhook.id, 18]);
    expect(problems.map(({ path, raw }) => [path, raw])).toEqual([
      ['webhooks[1]', 'null'],
      ['webhooks[2]', '17'],
      ['webhooks[3].id', '{"webhook":{"id":"seventeen"}}'],
    ]);
  });

  it('are rejected if nested deeper than the limit', () => {
    const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`;
    const { value, problems } = decodeBody(
      'webhooks',
      'json',
      `[{"webhook":{"id":1,"body":${deep}}},{"webhook":{"id":2,"more":${deep}}},{"webhook":{"id":3}}]`,
    );
    expect(value.map(({ id }) => id)).toEqual([3]);
    expect(problems.map(({ path }) => path)).toEqual(['webhooks[0].body', 'webhooks[1].more']);
  });
});

describe('dates and times in responses', () => {
  it('are stored as sent; an invalid one is reported', () => {
    const { value, problems } = readWebhook({ created_at: 'yesterday' });
    expect(value[0]?.created_at).toBe('yesterday');
    expect(problems).toEqual([
      {
        path: 'webhooks[0].created_at',
        reason: 'is not a date and time; stored as sent',
        raw: '"yesterday"',
        outcome: 'kept',
      },
    ]);
  });

  it('without a time zone are reported once per field', () => {
    const row = { webhook: { id: 1, created_at: '2016-11-08T16:22:26' } };
    const { problems } = readWebhooks(row, row, row);
    expect(problems.map(({ path }) => path)).toEqual(['webhooks[0].created_at']);
  });
});

describe('a webhook body that is not form-encoded', () => {
  it('is stored as sent', () => {
    for (const body of ['{"a":1}', '', { payload: { id: 1 } }, ['x'], 5, true]) {
      expect(readWebhook({ body }).value[0]?.body).toEqual(body);
    }
  });

  it('is read unchanged from XML: ampersands, line ends, surrounding spaces, nil and empty', () => {
    const inXml = (body: string) =>
      decodeBody('webhooks', 'xml', `<webhooks type="array"><webhook><id>1</id>${body}</webhook></webhooks>`)
        .value[0]?.body;
    expect(inXml('<body>  a=1&amp;b=%0D&#13;\n&lt;x&gt;\t </body>')).toBe('  a=1&b=%0D\r\n<x>\t ');
    expect(inXml('<body><![CDATA[a=1&b=<2>]]> &amp; more</body>')).toBe('a=1&b=<2> & more');
    expect(inXml('<body></body>')).toBe('');
    expect(inXml('<body/>')).toBe('');
    expect(inXml('<body nil="true"/>')).toBeNull();
    expect(inXml('<body nil="true"></body>')).toBeNull();
    expect(inXml('<body><payload><id type="integer">1</id></payload></body>')).toEqual({
      payload: { id: 1 },
    });
  });
});

describe('unusual XML', () => {
  it('may omit types', () => {
    const { value, problems } = decodeBody(
      'webhooks',
      'xml',
      '<webhooks><webhook><id>1</id><successful>true</successful></webhook><webhook><id> 2 </id></webhook></webhooks>',
    );
    expect(problems).toEqual([]);
    expect(value.map(({ id, successful }) => [id, successful])).toEqual([
      [1, true],
      [2, false],
    ]);
  });

  it('preserves repeated unknown elements, nested arrays and stray text', () => {
    const { value } = decodeBody(
      'webhooks',
      'xml',
      `<webhooks type="array"><webhook><id>1</id><tag>a</tag><tag>b</tag><tag>c</tag>
       <lists type="array"><list type="array"><n type="integer">1</n></list><list type="array"/></lists>
       <mixed>before<b>x</b></mixed></webhook></webhooks>`,
    );
    expect(value[0]?.extra).toEqual({
      tag: ['a', 'b', 'c'],
      lists: [[1], []],
      mixed: { b: 'x', '#text': 'before' },
    });
  });

  it('with text instead of rows loses no data', () => {
    const { value, problems } = decodeBody(
      'webhooks',
      'xml',
      '<webhooks type="array"><webhook><id>1</id></webhook> and more</webhooks>',
    );
    expect(value).toHaveLength(1);
    expect(problems).toEqual([
      { path: 'webhooks[1]', reason: 'is not a record', raw: '" and more"', outcome: 'rejected' },
    ]);
  });
});

describe('response encodings', () => {
  it('may start with a byte order mark', () => {
    expect(decodeBody('webhooks', 'json', '\ufeff[]').value).toEqual([]);
    expect(decodeBody('webhooks', 'xml', '\ufeff<webhooks type="array"/>').value).toEqual([]);
  });

  it('are decoded with the declared charset', () => {
    const row = '[{"webhook":{"id":1,"event":"é"}}]';
    const latin = decodeBody(
      'webhooks',
      'json',
      Buffer.from(row, 'latin1'),
      'application/json; charset=ISO-8859-1',
    );
    expect(latin.value[0]?.event).toBe('é');
    const xml =
      '<?xml version="1.0" encoding="ISO-8859-1"?><webhooks><webhook><id>1</id><event>é</event></webhook></webhooks>';
    expect(decodeBody('webhooks', 'xml', Buffer.from(xml, 'latin1'), 'application/xml').value[0]?.event).toBe(
      'é',
    );
  });

  it('with invalid UTF-8 are reported', () => {
    const row = Buffer.from('[{"webhook":{"id":1,"event":"é"}}]', 'latin1');
    const { value, problems } = decodeBody('webhooks', 'json', row, 'application/json');
    expect(value[0]?.event).toBe('\ufffd');
    expect(problems).toMatchObject([{ path: '', outcome: 'kept' }]);
  });

  it('with an unknown charset are rejected', () => {
    expect(() => decodeBody('webhooks', 'json', '[]', 'application/json; charset=klingon')).toThrow(
      UnreadableResponseError,
    );
  });
});

describe('responses of another server', () => {
  it.each([
    ['webhooks', 'json', '{"hello":"world"}', false],
    ['webhooks', 'json', '[1,2,3]', false],
    ['webhooks', 'json', '[{"foo":1}]', false],
    ['webhooks', 'json', '"ok"', false],
    ['webhooks', 'json', 'null', false],
    ['webhooks', 'json', '[{"webhook":{"id":1}}', true],
    ['webhooks', 'json', '', true],
    ['webhooks', 'json', '   ', true],
    ['webhooks', 'json', '<webhooks type="array"/>', false],
    ['webhooks', 'json', 'OK', true],
    ['webhooks', 'xml', '[]', false],
    ['webhooks', 'xml', '<feed/>', false],
    ['webhooks', 'xml', '<webhooks type="array"><webhook>', true],
    ['webhooks', 'xml', '<webhooks type="array"></webhook>', true],
    ['webhooks', 'xml', '<webhooks/><webhooks/>', true],
    ['webhooks', 'xml', '<webhooks>&undefined;</webhooks>', true],
    ['statement', 'json', '[]', false],
    ['statement', 'json', '{"invoice":{"id":1}}', false],
    ['statement_ids', 'json', '{"ids":[1]}', false],
    ['statement_ids', 'json', '{"statement_ids":"1,2"}', false],
  ] as const)('are rejected: %s in %s: %s', (reader, format, body, again) => {
    expect(() => decodeBody(reader, format, body)).toThrow(UnreadableResponseError);
    expect(() => decodeBody(reader, format, body)).toThrow(expect.objectContaining({ isRetryable: again }));
  });

  it('are rejected if they have more rows than any page', () => {
    expect(() => decodeBody('statement_ids', 'json', JSON.stringify(Array(100_001).fill(1)))).toThrow(
      UnreadableResponseError,
    );
  });
});

describe('statement ids in responses', () => {
  it('are reported with their path if they are invalid', () => {
    const { value, problems } = decodeBody(
      'statement_ids',
      'json',
      '{"statement_ids":[1,"2",null,-3,2.5,{"id":4}]}',
    );
    expect(value).toEqual([1, 2]);
    expect(problems.map(({ path }) => path)).toEqual([
      'statement_ids[2]',
      'statement_ids[3]',
      'statement_ids[4]',
      'statement_ids[5]',
    ]);
  });
});
