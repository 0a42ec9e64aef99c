import { auditProcedures } from '../../../contract/app/audit.ts';
import { implementProcedures } from '../procedures/implement-procedures.ts';
import type { WriterContext } from './writer-context.ts';

// The certificate library is loaded on first use.
const loadTimeStamps = () => import('../../time-stamps/request-time-stamp.ts');

export const auditCommands = (context: WriterContext) =>
  implementProcedures(auditProcedures, {
    timeStamp: async ({ input }) => (await loadTimeStamps()).requestTimeStamp(context, input),
  });
