import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatRoute, parseRoute, type Route, screenNames } from '../../../src/renderer/navigation/route.ts';

test('a formatted route is parsed back', () => {
  const route: fc.Arbitrary<Route> = fc.record({
    site: fc.option(fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,39}$/)),
    screen: fc.constantFrom(...screenNames),
    item: fc.option(fc.string({ minLength: 1 })),
  });
  fc.assert(
    fc.property(route, (place) => {
      expect(parseRoute(formatRoute(place))).toEqual(place);
    }),
  );
});

test.each(['', '#', '#/', '#/../../x', '#/ACME/nowhere', '#/%E0%A4%A/nowhere', '#t=token'])(
  'the invalid hash %s leads to the first screen',
  (hash) => expect(parseRoute(hash)).toMatchObject({ site: null, screen: 'overview' }),
);
