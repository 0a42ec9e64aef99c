/** How exported statements are named, and what stands in the bag they are exported to. Pure. */
export { DEFAULT_TEMPLATE, type NamedStatement, type NameTemplate, readTemplate } from './names.ts';
