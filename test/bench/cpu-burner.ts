/**
 * Uses a share of a core in bursts, like a process that stores many rows at once: `cpu-burner.ts <share>`. Ends with the
 * process that started it.
 */
const share = Number(process.argv[2] ?? 1);
const BURST_MS = 100;
/** Reading this memory also uses the core's caches. */
const PAGE = JSON.stringify(
  Array.from({ length: 200 }, (_, id) => ({
    webhook: { id, event: 'payment_success', body: 'x'.repeat(1400) },
  })),
);

const begun = performance.now();
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const before = cpuMs();

function burnCpu(): void {
  const until = cpuMs() + BURST_MS;
  while (cpuMs() < until) JSON.parse(PAGE);
  const due = begun + (cpuMs() - before) / share;
  setTimeout(burnCpu, Math.max(1, due - performance.now()));
}
burnCpu();
process.send?.('burning');
process.on('disconnect', () => process.exit());
