import { Registry } from 'prom-client'

/** All metrics of this process; sections add theirs in their `metrics.ts`. */
export const registry = new Registry()

/** Every name of ours begins with this. */
export const PREFIX = 'concierge_'
