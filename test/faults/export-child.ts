import { openWriter } from '../../src/backend/openWriter.ts';
import { createClient } from '../../src/contract/index.ts';
import { memoryShell } from '../backend/shell.ts';
import type { Message } from './kill-child.ts';

/** Writes a planned export in a process of its own, so that it can be killed: `export-child.ts <home> <site> <export>`. */
const [home = '', site = '', id = ''] = process.argv.slice(2);
const writer = openWriter({ home, version: '0.0.0', shell: memoryShell(new Map()), log: () => {} });
const client = createClient({ reader: writer.link, writer: writer.link });
const { job } = await client.archive.export({ site, export: id });
process.send?.({ said: 'begun' } satisfies Message);
let state = '';
for await (const now of await client.jobs.watch({ site, job })) ({ state } = now);
await writer.close();
process.exit(state === 'done' ? 0 : 1);
