import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { CALLERS, KINDS } from '#tests/access/section_access'
import type {
  Caller,
  Kind,
  Parameter,
  RouteAccess,
  SectionAccess,
} from '#tests/access/section_access'
import { projectPath } from '#core/process/root'

export type Outcome = '401' | '403' | '404' | 'pass'

const FOLDER = 'tests/access/sections'

const sections = await Promise.all(
  readdirSync(join(projectPath(), FOLDER)).map(async (file) => {
    const { default: access }: { default: SectionAccess } = await import(`./sections/${file}`)
    return access
  })
)

/** Every route of the service. */
export const ROUTES: Record<string, RouteAccess> = merged(sections.map(({ routes }) => routes))

/** One route for each guard that a section has: its first one. */
export function oneOfEachGuard(): string[] {
  return sections.flatMap(({ routes }) => {
    const firstOfKind = new Map<Kind, string>()
    for (const route of Object.keys(routes).toReversed()) firstOfKind.set(kindOf(route), route)
    return [...firstOfKind.values()]
  })
}

export const PARAMETERS: Record<string, Parameter> = merged(
  sections.map(({ parameters = {} }) => parameters)
)

/** @throws Error if two of them have the same key */
function merged<T>(records: Record<string, T>[]): Record<string, T> {
  const entries = records.flatMap((record) => Object.entries(record))
  const found = new Map<string, T>()
  for (const [key, value] of entries) {
    if (found.has(key)) throw new Error(`${key} is in two files of ${FOLDER}`)
    found.set(key, value)
  }
  return Object.fromEntries(found)
}

/** What each caller gets from a route. */
export function expected(route: string): Record<Caller, Outcome> {
  const column = KINDS.indexOf(kindOf(route))
  const outcomes = Object.entries(CALLERS).map(([caller, row]) => [caller, row.split(/ +/)[column]])
  return Object.fromEntries(outcomes)
}

export function kindOf(route: string): Kind {
  const row = ROUTES[route]
  return typeof row === 'string' ? row : row[0]
}

export function bodyOf(route: string, appCode: string): object | undefined {
  const row = ROUTES[route]
  return typeof row === 'string' ? undefined : row[1]?.(appCode)
}
