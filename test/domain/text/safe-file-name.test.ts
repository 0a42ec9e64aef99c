import { expect, it } from 'vitest';
import { toSafeFileName } from '../../../src/domain/text/safe-file-name.ts';

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
