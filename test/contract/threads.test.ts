import { isContractProcedure } from '@orpc/contract';
import { isProcedure, unlazyRouter } from '@orpc/server';
import { expect, test } from 'vitest';
import { createWriterRouter } from '../../src/backend/handlers/command-router.ts';
import type { WriterContext } from '../../src/backend/handlers/commands/writer-context.ts';
import { createReaderRouter } from '../../src/backend/handlers/query-router.ts';
import type { ReaderContext } from '../../src/backend/sites/reader-context.ts';
import { backendContract, getProcedureKind, getProcedureThread } from '../../src/contract/index.ts';

/** Returns the paths of the procedures in a tree, for example `webhooks.list`. */
function listPaths(tree: object, isLeaf: (node: unknown) => boolean, path: string[] = []): string[] {
  if (isLeaf(tree)) return [path.join('.')];
  return Object.entries(tree).flatMap(([name, node]) => listPaths(node as object, isLeaf, [...path, name]));
}

const allPaths = listPaths(backendContract, isContractProcedure).sort();
// No procedure is called, so an empty context is sufficient.
const servedPaths = {
  reader: listPaths(await unlazyRouter(createReaderRouter({} as ReaderContext)), isProcedure).sort(),
  writer: listPaths(createWriterRouter({} as WriterContext), isProcedure).sort(),
};

test('each procedure of the contract is served by exactly one thread', () => {
  expect([...servedPaths.reader, ...servedPaths.writer].sort()).toEqual(allPaths);
});

test.each(['reader', 'writer'] as const)('the %s thread serves its procedures and no others', (thread) => {
  expect(servedPaths[thread]).toEqual(
    allPaths.filter((path) => getProcedureThread(path.split('.')) === thread),
  );
});

test('every procedure is a query, a command or a stream', () => {
  for (const path of allPaths)
    expect([path, getProcedureKind(path.split('.'))]).toEqual([
      path,
      expect.stringMatching(/^(query|command|stream)$/),
    ]);
  expect(getProcedureKind(['webhooks', 'nonsense'])).toBeNull();
});
