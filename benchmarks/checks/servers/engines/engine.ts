import type { SingleCheck } from '../../apis.ts'
import {
  type Workload,
  applicationCode,
  emailOf,
  everyPermission,
  permissionCode,
  roleOf,
} from '../../../world/workload.ts'

/** Decides a check with what it has in memory. */
export type Engine = (check: SingleCheck) => boolean | Promise<boolean>

/** The numbers of a user's roles in an application, for engines that store no assignments. */
export class Assignments {
  readonly #roles = new Map<string, number[]>()

  constructor(workload: Workload) {
    for (const [user, assignments] of workload.entries()) {
      for (const { app, role } of assignments) {
        const key = keyOf(emailOf(user), applicationCode(app))
        this.#roles.set(key, [...(this.#roles.get(key) ?? []), role])
      }
    }
  }

  of(email: string, app: string): number[] {
    return this.#roles.get(keyOf(email, app)) ?? []
  }
}

const keyOf = (email: string, app: string) => `${email}\n${app}`

export const permissionsOf = (role: number) =>
  everyPermission.filter((permission) => roleOf(permission) === role).map(permissionCode)
