/**
 * Takes a share of a core and does nothing with it that an app has to do with, in bursts as of one who stores many rows at
 * once: `burner.ts <share>`, until the process that started it lets go of it.
 */
const share = Number(process.argv[2] ?? 1);
const BURST_MS = 100;
/** What is read in turn takes the caches of the core too. */
const PAGE = JSON.stringify(
  Array.from({ length: 200 }, (_, id) => ({
    webhook: { id, event: 'payment_success', body: 'x'.repeat(1400) },
  })),
);

const begun = performance.now();
const spent = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const before = spent();

function burn(): void {
  const until = spent() + BURST_MS;
  while (spent() < until) JSON.parse(PAGE);
  const due = begun + (spent() - before) / share;
  setTimeout(burn, Math.max(1, due - performance.now()));
}
burn();
process.send?.('burning');
process.on('disconnect', () => process.exit());
