import { describe, expect, test } from 'vitest';
import { findingsOf, messages, subscription, webhook } from '../record-builders.ts';

const rule = 'webhook-signature';
const record = subscription([], {
  webhooks: [webhook('payment_success', { signature: 'forged', body: 'id=1' })],
});

describe('webhook-signature', () => {
  test('reports a signature that does not match the body', () => {
    const verifySignature = ({ signature }: { signature: string | null }) => signature === 'true';
    expect(messages(findingsOf(rule, record, { verifySignature }))).toEqual([
      'The signature of webhook 900 (payment_success) does not match its body and the shared key.',
    ]);
  });

  test('ignores signatures that cannot be verified', () => {
    expect(findingsOf(rule, record, { verifySignature: () => null })).toEqual([]);
    expect(findingsOf(rule, record)).toEqual([]);
  });
});
