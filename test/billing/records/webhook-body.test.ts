import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  computeWebhookSignatures,
  findSignatureAlgorithm,
  parseWebhookBody,
} from '../../../src/billing/index.ts';
import * as sample from '../sample-records.ts';

/** Bodies recorded from the real service, with its own notation. */
const ALLOCATION_CHANGE =
  'id=177103664&event=component_allocation_change&payload[subscription][id]=15&payload[subscription][name]=John%20Doe&payload[product][id]=7&payload[product][name]=Pro&payload[component][kind]=quantity_based_component&payload[component][id]=3&payload[component][name]=Software%20Seats&payload[component][unit_name]=seat&payload[new_allocation]=3&payload[previous_allocation]=0&payload[memo]=Customer%20requested%203%20seats.&payload[timestamp]=2012-11-19T16%3A59%3A13Z&payload[site][id]=42901&payload[site][subdomain]=capital-preferences-ltd';

describe('a form-encoded webhook body', () => {
  it('is parsed completely, including ids of related records', () => {
    const body = parseWebhookBody(ALLOCATION_CHANGE);
    expect(body.form).toBe('form');
    expect(body.pairs).toHaveLength(16);
    expect(body.pairs[3]).toEqual(['payload[subscription][name]', 'John Doe']);
    expect(body.tree).toMatchObject({
      event: 'component_allocation_change',
      payload: {
        new_allocation: '3',
        timestamp: '2012-11-19T16:59:13Z',
        component: { name: 'Software Seats' },
      },
    });
    expect(body.hints).toEqual({
      webhook_id: 177_103_664,
      event: 'component_allocation_change',
      site_id: 42_901,
      subdomain: 'capital-preferences-ltd',
      subscription_id: 15,
      component_id: 3,
      product_id: 7,
    });
  });

  it('contains the id of its statement', () => {
    expect(parseWebhookBody(sample.webhook.body).hints).toMatchObject({
      subscription_id: 15_100_141,
      statement_id: 80_168_049,
      event_id: 347_299_384,
    });
  });

  it('preserves repeated keys in the pairs and in the tree', () => {
    const body = parseWebhookBody(
      'id=1&payload[public_signup_pages][id]=5&payload[public_signup_pages][id]=6&id=2',
    );
    expect(body.pairs.filter(([key]) => key.endsWith('[id]'))).toEqual([
      ['payload[public_signup_pages][id]', '5'],
      ['payload[public_signup_pages][id]', '6'],
    ]);
    expect(body.tree).toEqual({ id: ['1', '2'], payload: { public_signup_pages: { id: ['5', '6'] } } });
  });

  it('converts indexed and empty brackets to arrays', () => {
    const { tree } = parseWebhookBody(
      't[0][id]=1&t[0][m]=a&t[1][id]=2&ids[]=7&ids[]=8&sparse[1]=x&sparse[5]=y',
    );
    expect(tree).toEqual({
      t: [{ id: '1', m: 'a' }, { id: '2' }],
      ids: ['7', '8'],
      sparse: { '1': 'x', '5': 'y' },
    });
  });

  it('loses no data if a key has both a value and children', () => {
    expect(parseWebhookBody('a=1&a[b]=2').tree).toEqual({ a: { '': '1', b: '2' } });
    expect(parseWebhookBody('a[][b]=1&a[][b]=2').tree).toEqual({ a: { '': { b: ['1', '2'] } } });
  });

  it('decodes valid sequences and leaves invalid ones unchanged', () => {
    expect(parseWebhookBody('a=x+y%2Bz%20%F0%9D%94%98&b=100%&c=%zz&d=%C3&e&=f&%61%5Bb%5D=g').pairs).toEqual([
      ['a', 'x y+z 𝔘'],
      ['b', '100%'],
      ['c', '%zz'],
      ['d', '%C3'],
      ['e', ''],
      ['', 'f'],
      ['a[b]', 'g'],
    ]);
  });

  it('does not change an object prototype', () => {
    const { tree } = parseWebhookBody(
      '__proto__[polluted]=1&a[__proto__][polluted]=2&constructor[prototype][polluted]=3',
    );
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.keys(tree)).toEqual(['__proto__', 'a', 'constructor']);
  });

  it('round-trips any keys and values', () => {
    const part = fc.string({ minLength: 1 }).filter((each) => each.isWellFormed() && !/[[\]]/.test(each));
    const key = fc
      .array(part, { minLength: 1, maxLength: 5 })
      .map(([first, ...rest]) => first + rest.map((each) => `[${each}]`).join(''));
    const value = fc.string().filter((each) => each.isWellFormed());
    fc.assert(
      fc.property(fc.array(fc.tuple(key, value), { minLength: 1 }), (pairs) => {
        const text = pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&');
        expect(parseWebhookBody(text).pairs).toEqual(pairs);
      }),
    );
  });
});

describe('webhook bodies as JSON text and as objects', () => {
  const sent = {
    id: 5,
    event: 'payment_success',
    payload: {
      subscription: { id: 15, customer: { id: 9 } },
      transaction: { id: 3, statement_id: 8 },
      list: [1, null],
    },
  };
  const hints = {
    webhook_id: 5,
    event: 'payment_success',
    subscription_id: 15,
    customer_id: 9,
    transaction_id: 3,
    statement_id: 8,
  };

  it('produce the same result', () => {
    const fromText = parseWebhookBody(JSON.stringify(sent));
    const fromObject = parseWebhookBody(sent);
    expect(fromText).toEqual({ ...fromObject, form: 'json' });
    expect(fromObject).toMatchObject({ form: 'object', tree: sent, hints });
    expect(fromObject.pairs).toEqual([
      ['id', '5'],
      ['event', 'payment_success'],
      ['payload[subscription][id]', '15'],
      ['payload[subscription][customer][id]', '9'],
      ['payload[transaction][id]', '3'],
      ['payload[transaction][statement_id]', '8'],
      ['payload[list][0]', '1'],
      ['payload[list][1]', ''],
    ]);
  });

  it('may omit the payload key', () => {
    expect(parseWebhookBody({ subscription_id: 15, component: { id: '3' } }).hints).toEqual({
      subscription_id: 15,
      component_id: 3,
    });
  });
});

describe('any other webhook body', () => {
  it.each(['', '   ', 'hello', '{"cut":', '[1,2]', null, 5, true, ['a=1']])(
    'such as %j is unreadable',
    (body) => {
      expect(parseWebhookBody(body)).toEqual({ form: 'unreadable', pairs: [], tree: {}, hints: {} });
    },
  );

  it('with an invalid id is parsed without that id', () => {
    for (const id of ['0', '-5', 'abc', '12.5', '99999999999999999999', '']) {
      expect(parseWebhookBody(`event=x&payload[subscription][id]=${id}`).hints).toEqual({ event: 'x' });
    }
  });
});

describe('webhook signatures', () => {
  const body = 'payload[chargify]=testing&event=test';

  it('equal those of the documented example', () => {
    expect(computeWebhookSignatures('123', body)).toEqual({
      md5: '3df5f2c8d2bfd40d8a8d72cb9e7fe56c',
      hmac_sha_256: '19826d51b9f866b26eda1f154de192593360f8d0bcb63df8a28540a5dcf733f1',
    });
  });

  it('of both kinds are distinguished, and a changed body or key is detected', () => {
    const { md5, hmac_sha_256 } = computeWebhookSignatures('123', body);
    expect(findSignatureAlgorithm('123', body, md5)).toBe('md5');
    expect(findSignatureAlgorithm('123', body, ` ${hmac_sha_256.toUpperCase()}\n`)).toBe('hmac_sha_256');
    expect(findSignatureAlgorithm('124', body, md5)).toBeNull();
    expect(findSignatureAlgorithm('123', `${body} `, md5)).toBeNull();
    expect(findSignatureAlgorithm('123', body, '')).toBeNull();
  });
});
