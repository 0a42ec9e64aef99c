import { z } from 'zod';

/**
 * zod would try whether it may make code from text, which the page's policy forbids and reports. Import this before anything that
 * imports the contract: a schema looks at this setting when it is made.
 */
z.config({ jitless: true });
