import type { WorkSource } from '#core/background/work_source'

const sources: WorkSource[] = []

/** Background work of the service and of `queue:work`, registered by `start/background.ts`. */
export const workSources: readonly WorkSource[] = sources

export function registerWork(...added: WorkSource[]) {
  sources.push(...added)
}
