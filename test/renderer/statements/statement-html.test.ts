import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSandboxedDocument } from '../../../src/renderer/statements/sandboxed-html.ts';
import { extractLinks, stripBlockedContent } from '../../../src/renderer/statements/statement-html.ts';

describe('HTML stripping', () => {
  test.each([
    ['<p style="color:red" class="a">x</p>', '<p class="a">x</p>'],
    ['a<script>alert("<p>")</script>b', 'ab'],
    ['<style>p { color: red }</style><p>x</p>', '<p>x</p>'],
    ['<link rel=stylesheet href="https://x/a.css"><b>x</b>', '<b>x</b>'],
    ['<iframe src="https://x"></iframe>y', 'y'],
    ['<img src="https://x/logo.png" alt="Acme Ltd">', 'Acme Ltd'],
    ['<img src="https://x/open.gif">', ''],
    [
      '<img src="data:image/png;base64,AA==" alt="logo">',
      '<img src="data:image/png;base64,AA==" alt="logo">',
    ],
    ['<td align="right" onclick="x(\'>\')">1 < 2</td>', '<td align="right">1 < 2</td>'],
    ["<a href='/pay?a=1&amp;b=2' ONCLICK=go()>Pay</a>", '<a href="/pay?a=1&amp;b=2">Pay</a>'],
    ['no tags, 1 < 2 & 3', 'no tags, 1 < 2 & 3'],
    ['<p>open <b', '<p>open <b'],
  ])('strips blocked content from %s', (html, stripped) => expect(stripBlockedContent(html)).toBe(stripped));

  test('leaves text without tags unchanged', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const bare = text.replaceAll('<', '');
        expect(stripBlockedContent(bare)).toBe(bare);
      }),
    );
  });

  test('takes linear time for hostile input', () => {
    const start = process.threadCpuUsage();
    for (const part of ['<a ', '<a "', '<', '<p style="', '<script>', "='"])
      stripBlockedContent(part.repeat(60_000));
    const { user, system } = process.threadCpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(4_000);
  });
});

test('each link URL is listed once', () => {
  const html = `<a href="https://x/pay?a=1&amp;b=2">Pay</a> <A HREF='mailto:a@b.c'>Write</A> <a href=#top>Up</a>
    <a href="https://x/pay?a=1&amp;b=2">again</a> <a name="here"></a>`;
  expect(extractLinks(html)).toEqual(['https://x/pay?a=1&b=2', 'mailto:a@b.c']);
});

test('the content security policy precedes the statement content', () => {
  const document = createSandboxedDocument('<meta http-equiv="refresh" content="0;url=https://x"><p>x</p>');
  expect(document.indexOf('Content-Security-Policy')).toBeLessThan(document.indexOf('<p>x</p>'));
  expect(document).toContain("default-src 'none'");
  expect(document).not.toContain('refresh');
});
