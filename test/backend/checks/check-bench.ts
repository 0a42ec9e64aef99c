import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openBackendReader } from '../../../src/backend/open-backend-reader.ts';
import {
  type BackendClient,
  type ContractInputs,
  createBackendClient,
  type ExceptionRow,
  type Job,
} from '../../../src/contract/index.ts';
import type { Sandbox, SandboxOptions } from '../../../src/sandbox/index.ts';
import { ruleByPlantedError } from '../../domain/rule-by-planted-error.ts';
import { createMemoryShell } from '../memory-shell.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../writer-test-site.ts';

/** Reader and writer of a backend connected to a sandbox. */
export interface CheckBench
  extends Pick<
    WriterTestSite,
    'home' | 'sandbox' | 'log' | 'sync' | 'waitForJob' | 'cache' | 'books' | 'close'
  > {
  readonly client: BackendClient;
  /** Returns all exceptions that the filter selects, from all pages. */
  exceptions(filter?: ContractInputs['exceptions']['list']['filter']): Promise<ExceptionRow[]>;
  /** Runs a full check. Returns the ended job. */
  check(): Promise<Job>;
  /** Closes the writer and opens it again, as after a restart. */
  reopen(): Promise<void>;
  /** Deletes the cache and starts again without it. */
  loseCache(): Promise<void>;
}

export async function openCheckBench(
  options: SandboxOptions = {},
  format: 'json' | 'xml' = 'json',
): Promise<CheckBench> {
  const bench = await openWriterTestSite(options);
  const { home, sandbox, log, sync, waitForJob, cache, books } = bench;
  const reader = openBackendReader({
    home,
    version: '0.0.0',
    shell: createMemoryShell(bench.keys),
    log: () => {},
  });
  let client = createBackendClient({ reader: reader.link, writer: bench.writer.link });
  if (format === 'xml') await client.sites.update({ site: SITE, format });
  const reopen = async () => {
    await bench.reopen();
    client = createBackendClient({ reader: reader.link, writer: bench.writer.link });
  };
  return {
    ...{ home, sandbox, log, sync, waitForJob, cache, books },
    get client() {
      return client;
    },
    async exceptions(filter = {}) {
      const rows: ExceptionRow[] = [];
      let after: string | undefined;
      do {
        const page = await client.exceptions.list({
          site: SITE,
          filter,
          ...(after && { after }),
          limit: 1000,
        });
        rows.push(...page.rows);
        after = page.next ?? undefined;
      } while (after !== undefined);
      return rows;
    },
    async check() {
      const { job } = await client.check.start({ site: SITE });
      return waitForJob(job);
    },
    reopen,
    async loseCache() {
      for (const suffix of ['', '-wal', '-shm']) {
        rmSync(join(home, 'sites', SITE, `cache.db${suffix}`), { force: true });
      }
      await reopen();
    },
    async close() {
      await reader.close();
      await bench.close();
    },
  };
}

/** Returns the planted errors as subscription and rule. */
export const listPlantedErrors = ({ truth }: Sandbox): string[] =>
  truth
    .planted()
    .map(({ kind, subscription_id }) => `${subscription_id} ${ruleByPlantedError[kind]}`)
    .sort();

/** Returns the findings as subscription and rule. */
export const listFoundErrors = (rows: readonly ExceptionRow[]): string[] =>
  rows.map(({ rule, subject }) => `${subject.subscription_id} ${rule}`).sort();
