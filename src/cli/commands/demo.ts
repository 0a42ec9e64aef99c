import { exit } from '../exit.ts';
import type { Define } from '../verbs.ts';

interface DemoOptions {
  readonly headless?: true;
  readonly port?: number;
}

export const define: Define = (command, act) => {
  command.option('--headless', 'do the main job here in the terminal instead of opening the app').action(
    act(async (cli, { headless }: DemoOptions) => {
      if (!headless) {
        const { openDemo } = await import('../serving.ts');
        return openDemo(cli);
      }
      const { demoJob, demoSummary } = await import('../demo.ts');
      cli.stop.onStop('Stopped; what was stored is kept. Run the same command to go on.');
      const done = await demoJob(cli);
      await cli.out.document(done, () => demoSummary(done));
      return done.ok ? exit.done : exit.found;
    }),
  );
};
