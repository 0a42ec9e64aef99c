import { expect, test } from 'vitest';
import { createPageHeaders, formatContentSecurityPolicy } from '../../src/host/index.ts';

/** Check 9: the content security policy is a constant and contains no weak source. */
test('the policy is exactly the documented one', () => {
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

test('the browser host adds only its own socket to connect-src', () => {
  const socket = 'ws://127.0.0.1:1234';
  expect(formatContentSecurityPolicy(socket)).toBe(
    formatContentSecurityPolicy().replace("connect-src 'self'", `connect-src 'self' ${socket}`),
  );
});

test('no page can frame the app, and no referrer is sent', () => {
  expect(createPageHeaders()).toMatchObject({
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  });
});
