import { startSandbox } from '../../../src/sandbox/index.ts';
import { checkSite, readSiteRows, type SiteRows } from './bent-site.ts';
import { bentKinds } from './kinds.ts';
import { createPick, NoPositionError } from './pick.ts';

/**
 * Prints how many findings each kind of bent record gives on random sites: `node test/domain/bent-records/report.ts
 * [seeds] [name]`. Clean sites must give none.
 */
const SEEDS = Number(process.argv[2] ?? 5);
const ONLY = process.argv[3];

const print = (text: string): void => void process.stdout.write(`${text}\n`);
const tallies = new Map<string, Map<string, number>>();
let noise = 0;
for (let seed = 1; seed <= SEEDS; seed++) {
  const sandbox = await startSandbox({ seed: 7000 + seed, subscriptions: 60, outage: false });
  const clean = readSiteRows(sandbox);
  await sandbox.close();
  const findings = checkSite(clean);
  noise += findings.length;
  for (const { message } of findings) print(`noise in seed ${seed}: ${message}`);
  for (const [at, kind] of bentKinds.entries()) {
    if (ONLY !== undefined && kind.name !== ONLY) continue;
    const rows = structuredClone(clean) as SiteRows;
    try {
      kind.bend(rows, createPick(seed * 1000 + at));
    } catch (error) {
      if (error instanceof NoPositionError) continue;
      throw error;
    }
    const found = checkSite(rows);
    if (ONLY !== undefined)
      for (const { rule, message, members } of found)
        print([`${seed} ${rule}: ${message}`, ...members.map((each) => `    ${each.message}`)].join('\n'));
    const rules =
      found
        .map(({ rule, members }) => (members.length > 0 ? `${rule} (${members.length})` : rule))
        .sort()
        .join(' + ') || 'MISSED';
    const tally = tallies.get(kind.name) ?? new Map<string, number>();
    tallies.set(kind.name, tally.set(rules, (tally.get(rules) ?? 0) + 1));
  }
}
print(`${SEEDS} clean sites: ${noise} findings; ${bentKinds.length} kinds`);
for (const [name, tally] of tallies)
  print(`${name}: ${[...tally].map(([rules, count]) => `${count} × ${rules}`).join('; ')}`);
