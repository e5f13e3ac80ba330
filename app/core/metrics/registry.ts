import { Registry } from 'prom-client'

export const registry = new Registry()

export const PREFIX = 'concierge_'
