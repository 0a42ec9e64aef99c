import { exit } from '../exit.ts';
import { whole } from '../input/options.ts';
import type { Define } from '../verbs.ts';

interface DemoOptions {
  readonly headless?: true;
  readonly port?: number;
  readonly open: boolean;
}

export const define: Define = (command, act) => {
  command
    .option('--headless', 'do the main job here in the terminal instead of opening the app')
    .option('--port <n>', 'port of the app on this machine; any free one when left out', whole(0, 65_535))
    .option('--no-open', 'print the address of the app and open nothing')
    .action(
      act(async (cli, { headless, ...serving }: DemoOptions) => {
        if (!headless) {
          const { serveApp } = await import('../serving.ts');
          return serveApp(cli, { ...serving, demo: true });
        }
        const { demoJob, demoSummary } = await import('../demo/demo.ts');
        cli.stop.onStop('Stopped; what was stored is kept. Run the same command to go on.');
        const done = await demoJob(cli);
        await cli.out.document(done, () => demoSummary(done));
        return done.ok ? exit.done : exit.found;
      }),
    );
};
