import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { sqliteVersion } from '../../store/damage.ts';
import { examine } from '../doctor.ts';
import type { ReaderContext } from '../reader-context.ts';

const on = implement(contract).app;

export function appQueries(context: ReaderContext) {
  const { home, version, user } = context;
  return {
    about: on.about.handler(() => ({
      version,
      home,
      node: process.versions.node,
      sqlite: sqliteVersion(),
      user,
    })),
    doctor: on.doctor.handler(({ input }) => examine(context, input.quick)),
  };
}
