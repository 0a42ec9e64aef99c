import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { runDoctor } from '../../doctor/doctor.ts';
import type { ReaderContext } from '../../sites/reader-context.ts';
import { sqliteVersion } from '../../store/sqlite/integrity-check.ts';

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
    doctor: on.doctor.handler(({ input }) => runDoctor(context, input.quick)),
  };
}
