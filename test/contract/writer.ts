import { runThread } from '../../src/backend/thread.ts';
import { openTestWriter } from './backend.ts';

runThread(openTestWriter);
