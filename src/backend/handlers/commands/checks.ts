import { implement } from '@orpc/server';
import { contract } from '../../../contract/index.ts';
import { startCheck } from '../../checks/check-jobs.ts';
import {
  acceptExceptions,
  assignExceptions,
  commentExceptions,
  reopenExceptions,
} from '../../checks/exception-decisions.ts';
import { switchRule } from '../../checks/switch-rule.ts';
import type { WriterContext } from './writer-context.ts';

const on = implement(contract);

export function checkCommands(context: WriterContext) {
  return {
    start: on.check.start.handler(({ input }) => ({ job: startCheck(context, input.site).id })),
    switch: on.check.switch.handler(({ input }) => switchRule(context, input)),
  };
}

export function exceptionCommands(context: WriterContext) {
  return {
    assign: on.exceptions.assign.handler(({ input }) => assignExceptions(context, input)),
    comment: on.exceptions.comment.handler(({ input }) => commentExceptions(context, input)),
    accept: on.exceptions.accept.handler(({ input }) => acceptExceptions(context, input)),
    reopen: on.exceptions.reopen.handler(({ input }) => reopenExceptions(context, input)),
  };
}
