import { isContractProcedure } from '@orpc/contract';
import { isProcedure } from '@orpc/server';
import { expect, it } from 'vitest';
import { createWriterRouter } from '../../src/backend/handlers/command-router.ts';
import type { WriterContext } from '../../src/backend/handlers/commands/writer-context.ts';
import { createReaderRouter } from '../../src/backend/handlers/query-router.ts';
import type { ReaderContext } from '../../src/backend/sites/reader-context.ts';
import { contract, kindOf, threadOf } from '../../src/contract/index.ts';

/** The paths of the procedures in a tree, as `noun.verb`. */
function pathsOf(tree: object, is: (node: unknown) => boolean, path: string[] = []): string[] {
  if (is(tree)) return [path.join('.')];
  return Object.entries(tree).flatMap(([name, node]) => pathsOf(node as object, is, [...path, name]));
}

const all = pathsOf(contract, isContractProcedure).sort();
// The routers are made without being called, so an empty context serves.
const served = {
  reader: pathsOf(createReaderRouter({} as ReaderContext), isProcedure).sort(),
  writer: pathsOf(createWriterRouter({} as WriterContext), isProcedure).sort(),
};

it('is served whole, each procedure by exactly one thread', () => {
  expect([...served.reader, ...served.writer].sort()).toEqual(all);
});

it.each(['reader', 'writer'] as const)('has the procedures of the %s there, and no others', (thread) => {
  expect(served[thread]).toEqual(all.filter((path) => threadOf(path.split('.')) === thread));
});

it('says of each procedure whether it reads, changes or streams', () => {
  for (const path of all)
    expect([path, kindOf(path.split('.'))]).toEqual([
      path,
      expect.stringMatching(/^(query|command|stream)$/),
    ]);
  expect(kindOf(['webhooks', 'nonsense'])).toBeNull();
});
