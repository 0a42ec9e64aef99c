import type { Protection } from './protections.ts';

/** Protections against lost, wrong and repeated data. */
export const dataProtections: readonly Protection[] = [
  {
    name: 'a long write-ahead log is emptied',
    file: 'src/backend/sites/site-databases.ts',
    code: 'truncateLongWal(cache);',
    without: '',
    tests: ['test/backend/sites/write-ahead-log.test.ts'],
  },
  {
    name: 'a statement under another id than requested is refused',
    file: 'src/backend/sync/statements/fetch-statements.ts',
    code: 'if (item.id !== id) {',
    without: 'if (item.id < 0) {',
    tests: ['test/backend/sync/unreadable-records.test.ts'],
  },
  {
    name: 'a webhook with other content under a stored id is recorded',
    file: 'src/backend/sync/webhooks/store-webhook-page.ts',
    code: '  recordReplacedWebhooks(recorder, written.replaced);',
    without: '  recordReplacedWebhooks(recorder, []);',
    tests: ['test/backend/sync/unreadable-records.test.ts'],
  },
  {
    name: 'an address is connected once',
    file: 'src/backend/site-setup/site-setup.ts',
    code: 'if (other === undefined) return;',
    without: 'if (other?.site !== site) return;',
    tests: ['test/backend/sync/unreadable-records.test.ts'],
  },
  {
    name: 'damage is reported only if a new connection reports it as well',
    file: 'src/backend/sites/read-only-databases.ts',
    code: "for (const kind of ['cache', 'books'] as const) this.#close",
    without: 'for (const kind of [] as string[]) this.#close',
    tests: ['test/backend/sites/read-only-databases.test.ts'],
  },
  {
    name: 'books without the known history are not opened',
    file: 'src/backend/store/backups/books-history.ts',
    code: 'if (anchor === null) return;\n  const end',
    without: 'if (anchor !== undefined) return;\n  const end',
    tests: ['test/cli/commands/lost-books.test.ts'],
  },
  {
    name: 'missing books are not replaced by empty ones',
    file: 'src/backend/store/database/open-store.ts',
    code: '    requireExistingBooks(path);\n    const db',
    without: '    const db',
    tests: ['test/cli/commands/lost-books.test.ts'],
  },
  {
    name: 'a refused request does not use up its uniqueness token',
    file: 'src/sandbox/http-server.ts',
    code: 'if (answer.status >= 400) this.#uniquenessTokens.release(decoded);',
    without: '',
    tests: ['test/sandbox/allocations.test.ts'],
  },
  {
    name: 'the audit log cannot be changed',
    file: 'src/backend/store/migrations/books/tables/append-only-triggers.ts',
    code: 'SELECT RAISE(ABORT,',
    without: 'SELECT max(1,',
    tests: ['test/backend/store'],
  },
];
