import { isContractProcedure } from '@orpc/contract';
import { expect } from 'vitest';
import { openBackendReader } from '../../../src/backend/open-backend-reader.ts';
import {
  type BackendClient,
  backendContract,
  createBackendClient,
  getProcedureKind,
} from '../../../src/contract/index.ts';
import {
  callProcedure,
  isQueryInvalidatedBy,
  type ProcedureName,
} from '../../../src/renderer/backend-client/procedures.ts';
import { createMemoryShell } from '../../backend/memory-shell.ts';
import {
  FAST_TUNING,
  openWriterTestSite,
  SITE,
  type WriterTestSite,
} from '../../backend/writer-test-site.ts';

/**
 * Number of commands after which each answer is compared. `COMPARE=all` compares all answers after every command, so that
 * a
 * later event cannot hide a missing one.
 */
const COMPARE_EVERY_NTH_COMMAND = process.env['COMPARE'] === 'all' ? 1 : 3;

/** A window that shows query answers and refetches them when change events arrive. */
export interface ShownAnswers {
  readonly bench: WriterTestSite;
  readonly client: BackendClient;
  /** Shows the answers of these queries from now on. */
  show(names: ProcedureName | readonly ProcedureName[], input?: object): Promise<void>;
  /** Runs a command and expects a change event for every shown answer that is different afterwards. */
  expectEvents(runCommand: () => Promise<unknown>): Promise<void>;
  /** Returns the queries that were never shown and the commands that never ran. */
  findUncovered(): { readonly queries: string[]; readonly commands: string[] };
  close(): Promise<void>;
}

interface ShownAnswer {
  readonly name: ProcedureName;
  readonly input: object;
  answer: string;
  /** True if a change event has invalidated the answer since it was fetched. */
  invalidated: boolean;
}

export async function showAnswers(): Promise<ShownAnswers> {
  const options = { subscriptions: 6, months: 14, faults: 'plant.arithmetic=1' };
  // Prevents the daily archive check from running during the test.
  const bench = await openWriterTestSite(options, { ...FAST_TUNING, archiveCheckDelayMs: 3_600_000 });
  const { home, keys, writer } = bench;
  const reader = openBackendReader({
    home,
    version: '0.0.0',
    shell: createMemoryShell(keys),
    log: () => undefined,
  });
  const executed = new Set<string>();
  const client = createBackendClient({
    reader: reader.link,
    writer: {
      call(path, input, options) {
        executed.add(path.join('.'));
        return writer.link.call(path, input, options);
      },
    },
  });
  const stop = new AbortController();
  const shown = new Map<string, ShownAnswer>();
  const changes = await client.changes.watch({}, { signal: stop.signal });
  const receiveChanges = async () => {
    for await (const change of changes) {
      for (const each of shown.values())
        each.invalidated ||= isQueryInvalidatedBy(change, each.name, each.input);
    }
  };
  receiveChanges().catch(() => undefined);
  let commandCount = 0;

  return {
    bench,
    client,
    async show(names, input = { site: SITE }) {
      for (const name of [names].flat()) {
        const key = `${name} ${JSON.stringify(input)}`;
        if (shown.has(key)) continue;
        shown.set(key, { name, input, answer: await fetchAnswer(client, name, input), invalidated: false });
      }
    },
    async expectEvents(runCommand) {
      await runCommand();
      commandCount += 1;
      const missedEvents: string[] = [];
      for (const [index, [key, each]] of [...shown].entries()) {
        if ((commandCount + index) % COMPARE_EVERY_NTH_COMMAND !== 0) continue;
        const { answer, invalidated } = each;
        each.invalidated = false;
        each.answer = await fetchAnswer(client, each.name, each.input);
        if (each.answer === answer || invalidated) continue;
        const invalidation = expect.poll(() => each.invalidated, { timeout: 5000 }).toBe(true);
        await invalidation.catch(() => missedEvents.push(key));
      }
      expect(missedEvents).toEqual([]);
    },
    findUncovered() {
      const shownNames = new Set([...shown.values()].map(({ name }) => String(name)));
      return {
        queries: listProcedures((kind) => kind === 'query').filter((name) => !shownNames.has(name)),
        commands: listProcedures((kind) => kind !== 'query').filter((name) => !executed.has(name)),
      };
    },
    async close() {
      stop.abort();
      await reader.close();
      await bench.close();
    },
  };
}

/** Fields that are different in every answer: creation time, id of a one-time file, and size of the books. */
const VOLATILE_FIELDS = new Set(['made_at', 'blob', 'bytes']);

async function fetchAnswer(client: BackendClient, name: ProcedureName, input: object): Promise<string> {
  try {
    const answer = await callProcedure(client, name, input as never);
    // The length of the audit log in a workpaper’s header appears only in exported files, not in the window.
    if (name === 'workpapers.get') (answer as { head: { audit: unknown } }).head.audit = null;
    return JSON.stringify(answer, (key, value: unknown) => (VOLATILE_FIELDS.has(key) ? null : value));
  } catch (error) {
    return String(error);
  }
}

function listProcedures(isIncluded: (kind: string | null) => boolean): string[] {
  return Object.entries(backendContract).flatMap(([noun, procedures]) =>
    Object.entries(procedures)
      .filter(([verb, each]) => isContractProcedure(each) && isIncluded(getProcedureKind([noun, verb])))
      .map(([verb]) => `${noun}.${verb}`),
  );
}
