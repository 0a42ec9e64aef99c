import { expect, test } from 'vitest';
import { findAppLink } from '../../../src/main/opening/app-link.ts';

test.each([
  [['electron', '.', 'tieout://open/demo/statements/12'], '/demo/statements/12'],
  [['tieout', 'tieout://open/demo/webhooks'], '/demo/webhooks'],
  [['tieout'], null],
  [['tieout', 'tieout://run/rm'], null],
  [['tieout', 'https://example.test/tieout://open/x'], null],
  [['tieout', `tieout://open/${'a'.repeat(3_000)}`], null],
])('finds the link among %j', (argv, path) => expect(findAppLink(argv)).toBe(path));
