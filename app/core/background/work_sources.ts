import type { WorkSource } from '#core/background/work_source'

const sources: WorkSource[] = []

/** The background work of the service and of `queue:work`, which `start/background.ts` registers. */
export const workSources: readonly WorkSource[] = sources

export function registerWork(...added: WorkSource[]) {
  sources.push(...added)
}
