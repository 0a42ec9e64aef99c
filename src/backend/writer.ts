import { runBackendThread } from './backend-thread.ts';
import { openWriter } from './open-writer.ts';
import { lowerThreadPriority } from './shared/thread-priority.ts';

lowerThreadPriority();
runBackendThread(openWriter);
