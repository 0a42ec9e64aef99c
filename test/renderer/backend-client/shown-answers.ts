import { isContractProcedure } from '@orpc/contract';
import { expect } from 'vitest';
import { openReader } from '../../../src/backend/open-reader.ts';
import { type Client, contract, createClient, getProcedureKind } from '../../../src/contract/index.ts';
import {
  callProcedure,
  invalidatesQuery,
  type ProcedureName,
} from '../../../src/renderer/backend-client/procedures.ts';
import { memoryShell } from '../../backend/shell.ts';
import { openWorkbench, quick, SITE, type Workbench } from '../../backend/workbench.ts';

/** Every answer is looked at after so many commands; with `TOLD=all` after each, so that none hides what another did not tell. */
const EVERY = process.env['TOLD'] === 'all' ? 1 : 3;

/** A window that shows answers, as the changes it hears have it ask again. */
export interface ShownAnswers {
  readonly bench: Workbench;
  readonly client: Client;
  /** Shows the answers to these questions from now on. */
  show(names: ProcedureName | readonly ProcedureName[], input?: object): Promise<void>;
  /** Does something; whatever is answered otherwise afterwards must have been told. */
  tells(act: () => Promise<unknown>): Promise<void>;
  /** The queries that were never shown, and the commands that were never done. */
  missing(): { readonly queries: string[]; readonly commands: string[] };
  close(): Promise<void>;
}

interface Shown {
  readonly name: ProcedureName;
  readonly input: object;
  answer: string;
  /** A change told of it since it was asked. */
  touched: boolean;
}

export async function showAnswers(): Promise<ShownAnswers> {
  const options = { subscriptions: 6, months: 14, faults: 'plant.arithmetic=1' };
  // The archive is not read again beside the test.
  const bench = await openWorkbench(options, { ...quick, archiveCheckDelayMs: 3_600_000 });
  const { home, keys, writer } = bench;
  const reader = openReader({ home, version: '0.0.0', shell: memoryShell(keys), log: () => undefined });
  const ran = new Set<string>();
  const client = createClient({
    reader: reader.link,
    writer: {
      call(path, input, options) {
        ran.add(path.join('.'));
        return writer.link.call(path, input, options);
      },
    },
  });
  const stop = new AbortController();
  const shown = new Map<string, Shown>();
  const changes = await client.changes.watch({}, { signal: stop.signal });
  const hear = async () => {
    for await (const change of changes) {
      for (const each of shown.values()) each.touched ||= invalidatesQuery(change, each.name, each.input);
    }
  };
  hear().catch(() => undefined);
  let acts = 0;

  return {
    bench,
    client,
    async show(names, input = { site: SITE }) {
      for (const name of [names].flat()) {
        const key = `${name} ${JSON.stringify(input)}`;
        if (shown.has(key)) continue;
        shown.set(key, { name, input, answer: await answerOf(client, name, input), touched: false });
      }
    },
    async tells(act) {
      await act();
      acts += 1;
      const untold: string[] = [];
      for (const [place, [key, each]] of [...shown].entries()) {
        if ((acts + place) % EVERY !== 0) continue;
        const { answer, touched } = each;
        each.touched = false;
        each.answer = await answerOf(client, each.name, each.input);
        if (each.answer === answer || touched) continue;
        const told = expect.poll(() => each.touched, { timeout: 5000 }).toBe(true);
        await told.catch(() => untold.push(key));
      }
      expect(untold).toEqual([]);
    },
    missing() {
      const asked = new Set([...shown.values()].map(({ name }) => String(name)));
      return {
        queries: named((kind) => kind === 'query').filter((name) => !asked.has(name)),
        commands: named((kind) => kind !== 'query').filter((name) => !ran.has(name)),
      };
    },
    async close() {
      stop.abort();
      await reader.close();
      await bench.close();
    },
  };
}

/** What every reading has of its own: when it was made, under which name a file is offered, how large the books’ log is. */
const OWN = new Set(['made_at', 'blob', 'bytes']);

async function answerOf(client: Client, name: ProcedureName, input: object): Promise<string> {
  try {
    const answer = await callProcedure(client, name, input as never);
    // A workpaper’s head says how long the audit log is; that is shown nowhere but in the files made of it.
    if (name === 'workpapers.get') (answer as { head: { audit: unknown } }).head.audit = null;
    return JSON.stringify(answer, (key, value: unknown) => (OWN.has(key) ? null : value));
  } catch (error) {
    return String(error);
  }
}

function named(wanted: (kind: string | null) => boolean): string[] {
  return Object.entries(contract).flatMap(([noun, procedures]) =>
    Object.entries(procedures)
      .filter(([verb, each]) => isContractProcedure(each) && wanted(getProcedureKind([noun, verb])))
      .map(([verb]) => `${noun}.${verb}`),
  );
}
