import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isSafeFileName, toSafeFileName } from '../../../src/domain/text/safe-file-name.ts';

it.each([
  ['invoice.pdf', 'invoice.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\eve\\con.txt', '_con.txt'],
  ['a\u202egnp.exe', 'agnp.exe'],
  ['..', 'file'],
  ['', 'file'],
  ['x/', 'x'],
  ['trailing. .', 'trailing'],
])('makes %j safe', (name, safe) => {
  expect(toSafeFileName(name)).toBe(safe);
});

it('limits the length in bytes and keeps the extension', () => {
  const name = toSafeFileName(`${'ä'.repeat(300)}.xlsx`);
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(120);
  expect(name).toMatch(/^ä+\.xlsx$/);
});

it('accepts every safe name, and no name that leaves its folder', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      expect(isSafeFileName(toSafeFileName(name))).toBe(true);
    }),
  );
  for (const name of ['', '..', 'a/b', 'a\\b', 'C:a', 'nul', 'a.', 'a\0', 'x/../../y', `${'x'.repeat(121)}`])
    expect(isSafeFileName(name)).toBe(false);
});
