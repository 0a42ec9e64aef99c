import { readFileSync } from 'node:fs';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { allCommands } from '../../../src/renderer/app/all-commands.ts';
import { getScreenCommands } from '../../../src/renderer/commands/command.ts';
import { registerCommands } from '../../../src/renderer/commands/command-registry.ts';
import { parseChangelog } from '../../../src/renderer/help/changelog.ts';
import { CodeText } from '../../../src/renderer/help/code-text.tsx';
import { ShortcutList } from '../../../src/renderer/help/shortcut-list.tsx';
import { type ScreenName, screenNames } from '../../../src/renderer/navigation/route.ts';
import { texts } from '../../../src/renderer/texts/texts.ts';

const decodeHtml = (html: string) =>
  html.replaceAll('&#x27;', "'").replaceAll('&quot;', '"').replaceAll('&amp;', '&');

test('every screen has a help text of its own, in sentences', () => {
  const helpTexts: Record<ScreenName, string> = texts.help.screens;
  expect(Object.keys(helpTexts).sort()).toEqual([...screenNames].sort());
  for (const screen of screenNames) expect(helpTexts[screen], screen).toMatch(/^[A-Z].{40,}\.$/);
  expect(new Set(Object.values(helpTexts)).size).toBe(screenNames.length);
});

test.each(screenNames)('help lists every command with a shortcut on %s once', (screen) => {
  registerCommands(allCommands);
  const html = decodeHtml(renderToStaticMarkup(<ShortcutList screen={screen} />));
  const actions = [...html.matchAll(/<dt>(.*?)<\/dt>/g)].map(([, action]) => action ?? '');
  const commands = getScreenCommands(allCommands, screen).filter(({ keys }) => keys);
  const listActions = texts.palette.listKeys.map(([, action]) => action);
  expect(actions.sort()).toEqual([...commands.map(({ title }) => title), ...listActions].sort());
});

test('the shortcuts of the screen come before the general ones', () => {
  registerCommands(allCommands);
  const html = renderToStaticMarkup(<ShortcutList screen="matching" />);
  const own = allCommands.find(
    ({ keys, screens }) => keys && screens?.length === 1 && screens[0] === 'matching',
  );
  expect(own).toBeDefined();
  expect(html.indexOf(own?.title ?? '')).toBeLessThan(html.indexOf('Go to Overview'));
});

test('lists each notable change of the changelog', () => {
  const markdown = readFileSync(new URL('../../../CHANGELOG.md', import.meta.url), 'utf8');
  const sections = parseChangelog(markdown);
  expect(sections.length).toBeGreaterThan(0);
  expect(sections.flatMap(({ changes }) => changes)).toHaveLength(markdown.match(/^[-*] /gm)?.length ?? 0);
});

test('parses versions, continued lines and subheadings of a changelog', () => {
  const markdown = [
    '# Changelog',
    '',
    'Intro - with a dash.',
    '',
    '## [2.1.0] - 2027-03-04',
    '',
    '### Added',
    '',
    '- Lists of `refunds`,',
    '  also per day.',
    '* A second change.',
    '',
    '## 2.0.0',
    '',
    '## 1.0.0 - 2027-01-01',
    '- First.',
  ];
  for (const newline of ['\n', '\r\n'])
    expect(parseChangelog(markdown.join(newline))).toEqual([
      { title: '2.1.0 - 2027-03-04', changes: ['Lists of `refunds`, also per day.', 'A second change.'] },
      { title: '1.0.0 - 2027-01-01', changes: ['First.'] },
    ]);
});

test('shows code of a text as code', () => {
  const html = renderToStaticMarkup(<CodeText>{'Run `tieout <help>` now.'}</CodeText>);
  expect(html).toBe('Run <code>tieout &lt;help&gt;</code> now.');
});
