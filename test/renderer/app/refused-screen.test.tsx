import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { RefusedScreen } from '../../../src/renderer/app/refused-screen.tsx';
import { useWindowState } from '../../../src/renderer/navigation/window-state.ts';

test('a tab that may not connect shows this as its title, and offers no API key and no retry', () => {
  useWindowState.setState(({ route }) => ({ route: { ...route, site: 'harbor' } }));
  const html = renderToStaticMarkup(
    <RefusedScreen
      error={{ code: 'conflict', message: 'This tab is not allowed to use Tieout.', retryable: false }}
    />,
  );
  expect(html).toContain('<strong>This tab cannot use Tieout</strong>');
  expect(html).toContain('This tab is not allowed to use Tieout.');
  expect(html).not.toContain('<button');
});
