import { parseArgs } from 'node:util';
import { fitGrowth, growthLimits } from './growth.ts';
import { runSoak } from './run-soak.ts';

/**
 * `npm run soak [-- --days 30]` prints one JSON line per simulated day, then the growth per day and the differences to a
 * recomputation. Exits with 1 if a size grows faster than its limit or a result differs.
 */
const { values } = parseArgs({ options: { days: { type: 'string', default: '30' } } });
const days = Number(values.days);
if (!Number.isSafeInteger(days) || days < 1) throw new RangeError('Enter at least one day.');
const print = (value: unknown) => void process.stdout.write(`${JSON.stringify(value)}\n`);
const { samples, ok, differences } = await runSoak(days, print);
const growth = fitGrowth(samples);
const names = Object.keys(growthLimits) as (keyof typeof growthLimits)[];
const exceeded = growth === null ? [] : names.filter((name) => growth[name] > growthLimits[name]);
print({ growth, exceeded, ok, differences });
process.exitCode = ok && exceeded.length === 0 ? 0 : 1;
