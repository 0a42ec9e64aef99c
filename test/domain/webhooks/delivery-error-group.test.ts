import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  findSharedErrorWords,
  NO_ERROR_TEXT_GROUP,
  toDeliveryErrorGroup,
} from '../../../src/domain/webhooks/delivery-error-group.ts';

it.each([
  ['404 Resource Not Found (retry 5 of 5)', '404 Resource Not Found (retry # of #)'],
  ['404 Resource Not Found (retry 2 of 5)', '404 Resource Not Found (retry # of #)'],
  ['503 Service Unavailable', '503 Service Unavailable'],
  ['HTTP 502 Bad Gateway', '502 Bad Gateway'],
  ['HTTP/1.1 500', '500'],
  ['500: order 123456 failed at 12:30:01', '500: order # failed at #'],
  ['Net::ReadTimeout after 15.02 s', 'Net::ReadTimeout after # s'],
  ['connection refused 10.0.0.17:8443', 'connection refused <address>'],
  ['could not reach https://shop.example.com/hooks?signature=ab12', 'could not reach <url>'],
  ['request 3f2c1a9e-0b1c-4d2e-8f3a-5b6c7d8e9f00 timed out', 'request <id> timed out'],
  ['trace deadbeef42cafe lost', 'trace <id> lost'],
  ['  spread \n over\tlines ', 'spread over lines'],
  ['5000 rows', '# rows'],
  ['', NO_ERROR_TEXT_GROUP],
  [null, NO_ERROR_TEXT_GROUP],
])('groups %j as %j', (error, group) => {
  expect(toDeliveryErrorGroup(error)).toBe(group);
});

it('errors with different status codes or words are in different groups', () => {
  const errors = ['500 Internal Server Error', '502 Internal Server Error', '500 Bad Gateway', 'timeout'];
  expect(new Set(errors.map(toDeliveryErrorGroup)).size).toBe(4);
});

it('grouping a group’s name returns the same name', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 400 }), (text) => {
      const group = toDeliveryErrorGroup(text);
      expect(group.length).toBeLessThanOrEqual(160);
      expect(toDeliveryErrorGroup(group).replace(/…+$/, '…')).toBe(group);
    }),
  );
});

it('a group’s name contains only words that all its errors contain', () => {
  const error = '503 Service Unavailable from 10.0.0.1 (retry 2 of 5)';
  const words = findSharedErrorWords(toDeliveryErrorGroup(error));
  expect(words).toContain('Service');
  for (const word of words) expect(error).toContain(word);
});
