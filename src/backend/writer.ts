import { runBackendThread } from './backend-thread.ts';
import { openBackendWriter } from './open-backend-writer.ts';
import { lowerThreadPriority } from './shared/thread-priority.ts';

lowerThreadPriority();
runBackendThread(openBackendWriter);
