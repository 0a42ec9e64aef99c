import { appProcedures } from '../../../contract/app/app.ts';
import { settingsProcedures } from '../../../contract/app/settings.ts';
import { readAppSettings } from '../../sites/app-settings.ts';
import { getSqliteVersion } from '../../store/sqlite/integrity-check.ts';
import { implementProcedures, type QueryContext } from '../procedures/implement-procedures.ts';

export const settingsQueries = ({ home }: QueryContext) =>
  implementProcedures(settingsProcedures, { all: () => readAppSettings(home) });

export function appQueries(context: QueryContext) {
  const { home, version, user } = context;
  return implementProcedures(appProcedures, {
    about: () => ({ version, home, node: process.versions.node, sqlite: getSqliteVersion(), user }),
    // The doctor uses most of the backend.
    doctor: async ({ input }) => (await import('../../doctor/doctor.ts')).runDoctor(context, input.quick),
  });
}
