import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import { generateMutants } from './generate-mutants.ts';
import { protections } from './protections.ts';

test.each(protections)(
  '$name: its code occurs once and its tests exist',
  ({ file, code, without, tests }) => {
    const source = readFileSync(join(appRoot, file), 'utf8');
    expect(source.split(code)).toHaveLength(2);
    expect(without).not.toBe(code);
    for (const path of tests) expect(existsSync(join(appRoot, path)), path).toBe(true);
  },
);

test('mutants change operators, conditions and values, but no types and texts', () => {
  const source =
    "import { a } from './x-1.ts';\ntype T = 1 | true;\nexport const f = (n: T) => n > 1 && a(n) ? 'b-c' : -n;\n";
  const mutants = generateMutants(source).map(({ line, before, after }) => `${line}: ${before} → ${after}`);
  expect(mutants).toEqual([
    '3: n > 1 && a(n) → true',
    '3: n > 1 && a(n) → false',
    '3: && → ||',
    '3: > → >=',
    '3: 1 → 0',
    '3: -n → n',
  ]);
  for (const { text } of generateMutants(source)) expect(text).not.toBe(source);
});
