import { expect, test } from 'vitest';
import { createPageHeaders, formatContentSecurityPolicy } from '../../src/host/index.ts';

/** Check 9: the policy is one constant, and none of its holes is ever opened. */
test('the policy is the one of the design, to the letter', () => {
  expect(formatContentSecurityPolicy()).toBe(
    "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
      "connect-src 'self'; frame-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
});

test('no inline script or style, no eval, no wildcard, no plain http', () => {
  for (const policy of [formatContentSecurityPolicy(), formatContentSecurityPolicy('ws://127.0.0.1:1234')]) {
    expect(policy).not.toMatch(/unsafe-inline|unsafe-eval|unsafe-hashes|\*|http:|https:/);
  }
});

test('the browser host adds its own exact socket to connect-src, and nothing else', () => {
  const socket = 'ws://127.0.0.1:1234';
  expect(formatContentSecurityPolicy(socket)).toBe(
    formatContentSecurityPolicy().replace("connect-src 'self'", `connect-src 'self' ${socket}`),
  );
});

test('no page frames the app, and the app names itself to nobody', () => {
  expect(createPageHeaders()).toMatchObject({
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
});
