import type { PersonDetails } from '@/queries/people'

export interface HeldInApplication {
  appCode: string
  roleCodes: string[]
  isAdministrator: boolean
  /** How many. */
  overrides: number
}

/** What someone holds in each application, those that they only use at the end. */
export function applicationsOf(person: PersonDetails): HeldInApplication[] {
  const { roles, administratorOf, overrides, applications } = person
  const codes = new Set([
    ...administratorOf,
    ...roles.map(({ appCode }) => appCode),
    ...overrides.map(({ appCode }) => appCode),
    ...applications.map(({ applicationCode }) => applicationCode),
  ])
  return [...codes].map((appCode) => ({
    appCode,
    roleCodes: roles.find((held) => held.appCode === appCode)?.roleCodes ?? [],
    isAdministrator: administratorOf.includes(appCode),
    overrides: overrides.find((held) => held.appCode === appCode)?.count ?? 0,
  }))
}
