import { Registry } from 'prom-client'

export const registry = new Registry()

export const METRIC_PREFIX = 'concierge_'
