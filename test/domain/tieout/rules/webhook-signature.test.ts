import { describe, expect, test } from 'vitest';
import { found, messages, subscription, webhook } from '../build.ts';

const rule = 'webhook-signature';
const record = subscription([], {
  webhooks: [webhook('payment_success', { signature: 'forged', body: 'id=1' })],
});

describe('webhook-signature', () => {
  test('a signature that does not fit the body', () => {
    const verify = ({ signature }: { signature: string | null }) => signature === 'true';
    expect(messages(found(rule, record, { verify }))).toEqual([
      'The signature of webhook 900 (payment_success) does not fit its body under the shared key.',
    ]);
  });

  test('one that cannot be verified, and all without the key, are left alone', () => {
    expect(found(rule, record, { verify: () => null })).toEqual([]);
    expect(found(rule, record)).toEqual([]);
  });
});
