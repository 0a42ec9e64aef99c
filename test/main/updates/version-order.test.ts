import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isLaterVersion } from '../../../src/main/updates/version-order.ts';

/** Versions in ascending order by semver.org 2.0, item 11, with more of the same kind. */
const ascending = [
  ...['0.9.0', '0.10.0', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2'],
  ...['1.0.0-beta.11', '1.0.0-beta.99999999999999999998', '1.0.0-beta.99999999999999999999', '1.0.0-rc.1'],
  ...['1.0.0', '1.0.1', '1.2.0', '1.10.0', '9.0.0', '10.0.0', '9007199254740993.0.0', '9007199254740994.0.0'],
];

test('orders versions by their parts, with pre-releases before the release', () => {
  for (const [at, version] of ascending.entries()) {
    for (const [otherAt, other] of ascending.entries())
      expect(isLaterVersion(version, other), `${version} after ${other}`).toBe(at > otherAt);
  }
});

test('ignores build metadata and a leading v', () => {
  expect(isLaterVersion('v1.2.1', '1.2.0')).toBe(true);
  expect(isLaterVersion('1.2.0+build.9', '1.2.0+build.1')).toBe(false);
  expect(isLaterVersion('1.2.1+001', 'v1.2.0-rc.1')).toBe(true);
});

test.each([
  '',
  '1',
  '1.2',
  '1.2.3.4',
  '01.2.3',
  '1.2.3-',
  '1.2.3-a..b',
  '1.2.3-01',
  'latest',
  '1.2.x',
  ' 9.9.9',
])('"%s" is not a version, so it is later than none', (text) => {
  expect(isLaterVersion(text, '0.0.1')).toBe(false);
  expect(isLaterVersion('9.9.9', text)).toBe(false);
});

test('a version of extreme length is refused at once', () => {
  expect(isLaterVersion(`9.0.0-${'a.'.repeat(100_000)}b`, '1.0.0')).toBe(false);
});

test('of two different releases, exactly one is later', () => {
  const release = fc.tuple(fc.nat(), fc.nat(), fc.nat()).map((parts) => parts.join('.'));
  fc.assert(
    fc.property(release, release, (left, right) => {
      expect(isLaterVersion(left, right) || isLaterVersion(right, left)).toBe(left !== right);
      expect(isLaterVersion(left, right) && isLaterVersion(right, left)).toBe(false);
    }),
  );
});
